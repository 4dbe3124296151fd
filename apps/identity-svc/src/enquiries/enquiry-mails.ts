import { pages } from '@holdfast/contracts/pages'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import type { QueuedMail } from '@holdfast/mail/queue-mail'
import { ours, say, written } from '@holdfast/mail/sentence'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { IdentityConfig } from '../config.js'

/** To the team: somebody has written. */
export const ENQUIRY_ARRIVED = 'enquiry-arrived'
/** To the person: we have it, under this number. */
export const ENQUIRY_RECEIVED = 'enquiry-received'
/** To the person: the answer. */
export const ENQUIRY_ANSWERED = 'enquiry-answered'

interface Row {
  readonly number: string
  readonly name: string
  readonly email: string
  readonly subject: string
  readonly message: string
  readonly facts: Readonly<Record<string, string>>
  readonly answer: string | null
  /** Its sender was signed in to the account that has this address. */
  readonly isOwn: boolean
}

/** Makes the words of the mails about enquiries. */
@Injectable()
export class EnquiryMails implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onModuleInit(): void {
    this.mailer.add(ENQUIRY_ARRIVED, mail => this.#composed(mail, row => this.#arrived(row)))
    this.mailer.add(ENQUIRY_RECEIVED, mail => this.#composed(mail, received))
    this.mailer.add(ENQUIRY_ANSWERED, mail => this.#composed(mail, answered))
  }

  async #composed({ data }: QueuedMail, compose: (row: Row) => MailContent | null): Promise<MailContent | null> {
    const [row]: Row[] = await this.dataSource.query(
      `SELECT number, name, email, subject, message, facts, answer,
         EXISTS (SELECT FROM users WHERE users.id = user_id AND lower(users.email) = lower(enquiry.email)) AS "isOwn"
       FROM enquiry WHERE id = $1`,
      [data.enquiryId],
    )
    return row ? compose(row) : null
  }

  #arrived({ number, name, email, subject, message, facts }: Row): MailContent {
    return {
      subject: say`No. ${ours(number)}: ${written(subject)}`,
      paragraphs: [
        say`“${written(name)}” has written from “${written(email)}”:`,
        say`“${written(message)}”`,
        ...Object.entries(facts).map(([label, value]) => say`${ours(label)}: ${written(value)}`),
      ],
      action: {
        label: 'Answer in the console',
        url: `${this.config.PUBLIC_URL}${pages.adminEnquiries.path}?q=${number}`,
      },
      reason: say`You get this mail because it is sent to the address of your team. An answer to this mail reaches nobody.`,
    }
  }
}

/** It repeats nothing of what was typed: anybody can type another person's address into the form. */
function received({ number }: Row): MailContent {
  return {
    subject: say`We have your message, no. ${ours(number)}`,
    paragraphs: [
      say`Your message has arrived under the number ${ours(number)}. A person reads it, and the answer comes by mail.`,
    ],
    reason: say`You get this mail because somebody has written to us with this address. If it was not you, do nothing.`,
  }
}

/** It repeats what was typed only to whoever was signed in with this address then. */
function answered({ number, name, subject, message, answer, isOwn }: Row): MailContent | null {
  if (answer === null) return null
  return {
    subject: isOwn
      ? say`Answer to no. ${ours(number)}${written(`: ${subject}`, '')}`
      : say`Answer to no. ${ours(number)}`,
    ...(isOwn && { firstName: name }),
    paragraphs: [
      ...answer.split(/\n{2,}/).map(paragraph => say`${ours(paragraph)}`),
      ...(isOwn ? [say`You wrote: “${written(message)}”`] : []),
    ],
    reason: say`You get this mail because somebody has written to us with this address. To write again, use the form in the Support Center.`,
  }
}
