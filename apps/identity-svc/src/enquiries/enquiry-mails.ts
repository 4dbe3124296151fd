import { pages } from '@holdfast/contracts/pages'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import type { QueuedMail } from '@holdfast/mail/queue-mail'
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
      'SELECT number, name, email, subject, message, facts, answer FROM enquiry WHERE id = $1',
      [data.enquiryId],
    )
    return row ? compose(row) : null
  }

  #arrived({ number, name, email, subject, message, facts }: Row): MailContent {
    return {
      subject: `No. ${number}: ${subject}`,
      greeting: `${name} <${email}> has written:`,
      paragraphs: [message, ...Object.entries(facts).map(([label, value]) => `${label}: ${value}`)],
      action: {
        label: 'Answer in the console',
        url: `${this.config.PUBLIC_URL}${pages.adminEnquiries.path}?q=${number}`,
      },
      reason:
        'You get this mail because it is sent to the address of your team. An answer to this mail reaches nobody.',
    }
  }
}

/** It repeats nothing of what was typed: anybody can type another person's address into the form. */
function received({ number }: Row): MailContent {
  return {
    subject: `We have your message, no. ${number}`,
    greeting: 'Hello,',
    paragraphs: [
      `Your message has arrived under the number ${number}. A person reads it, and the answer comes by mail.`,
    ],
    reason: 'You get this mail because somebody has written to us with this address. If it was not you, do nothing.',
  }
}

function answered({ number, name, subject, message, answer }: Row): MailContent | null {
  if (answer === null) return null
  return {
    subject: `Answer to no. ${number}: ${subject}`,
    greeting: `Hello ${name},`,
    paragraphs: [...answer.split(/\n{2,}/), `You wrote: “${message}”`],
    reason: 'You get this mail because you have written to us. To write again, use the form in the Support Center.',
  }
}
