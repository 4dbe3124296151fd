import { userUpdated } from '@holdfast/contracts/events'
import { pages } from '@holdfast/contracts/pages'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import { type QueuedMail, queueMail } from '@holdfast/mail/queue-mail'
import { recipientKey } from '@holdfast/mail/recipient-key'
import { say } from '@holdfast/mail/sentence'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User, viewOf } from '../users/user.entity.js'
import { gone, MailedTokens } from './mailed-tokens.js'

const CHANGE = 'change-email'
const CHANGED = 'email-changed'
/** Other addresses that a user may name. */
export const EMAIL_CHANGES_PER_USER: AttemptLimit = {
  attempts: 5,
  seconds: 60 * 60,
  refusal: 'You have asked for several links to new addresses. Please try again later.',
}

/** Links to one new address, whoever asks: anybody can type the address of another person. */
export const EMAIL_CHANGES_PER_RECIPIENT: AttemptLimit = { ...EMAIL_CHANGES_PER_USER }

/** Gives a user another e-mail address, when they have shown that they read its mails. */
@Injectable()
export class EmailChangeService implements OnModuleInit {
  readonly #perUser: Attempts
  readonly #perRecipient: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: MailedTokens,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.#perUser = new Attempts(dataSource, 'change-email', EMAIL_CHANGES_PER_USER)
    this.#perRecipient = new Attempts(dataSource, 'change-email-recipient', EMAIL_CHANGES_PER_RECIPIENT)
  }

  onModuleInit(): void {
    this.mailer.add(CHANGE, mail => this.#compose(mail))
    this.mailer.add(CHANGED, mail => this.#composeChanged(mail))
  }

  /**
   * Counts another address that a user names. Called before the answer says whether somebody has it, so that a user cannot find out who
   * has an account by naming many.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  async count(userId: string, email: string): Promise<void> {
    await this.#perUser.count(userId)
    await this.#perRecipient.count(recipientKey(email))
  }

  /** Mails a link to the new address, in the dbTx of the request. The mail is not sent when the password changes before. */
  async queue(dbTx: EntityManager, { id, passwordVersion }: User, email: string): Promise<void> {
    await queueMail(dbTx, { kind: CHANGE, recipient: email, data: { userId: id, passwordVersion } })
  }

  /**
   * Makes an address that of a user, in the dbTx in which its token was taken. All other mailed links end: those to the old address
   * must not open the account any more. A mail to the old address says what has happened.
   *
   * @throws DomainError `GONE` for the account of a suspended user, and one that is being closed
   */
  async change(dbTx: EntityManager, userId: string, email: string): Promise<void> {
    const user = await dbTx.findOneOrFail(User, { where: { id: userId }, lock: { mode: 'pessimistic_write' } })
    // A thief of an account must not be able to change its address after an operator has suspended it.
    if (user.suspendedAt !== null || user.closingId !== null) gone()
    const emailConfirmedAt = await databaseTime(dbTx)
    await dbTx.update(User, userId, { email, emailConfirmedAt, emailChangedAt: emailConfirmedAt })
    await dbTx.query('DELETE FROM mailed_token WHERE user_id = $1', [userId])
    const facts = { user: viewOf({ ...user, email, emailConfirmedAt }) }
    await appendToOutbox(dbTx, newEvent(userUpdated, userId, facts, emailConfirmedAt))
    await queueMail(dbTx, { kind: CHANGED, recipient: user.email, data: { userId } })
  }

  async #compose({ recipient, data }: QueuedMail): Promise<MailContent | null> {
    const user = await this.#find(data.userId)
    if (!user || data.passwordVersion !== user.passwordVersion) return null
    const token = await this.tokens.make(user, 'change_email', recipient)
    if (!token) return null
    return {
      subject: say`Confirm your new e-mail address`,
      paragraphs: [
        say`You want to use this address for your account. It becomes yours when you confirm it.`,
        say`The link can be used once, within a day. Until then your old address stays.`,
      ],
      action: { label: 'Confirm this address', url: `${this.config.PUBLIC_URL}${pages.confirmEmail.path}#${token}` },
      reason: say`If it was not you, do nothing: the account stays as it is.`,
    }
  }

  async #composeChanged({ data }: QueuedMail): Promise<MailContent | null> {
    const user = await this.#find(data.userId)
    return (
      user && {
        subject: say`Your e-mail address was changed`,
        firstName: user.firstName,
        paragraphs: [
          say`Your account has another e-mail address now. We write no more mails to this one.`,
          say`If it was not you, write to our support team at once.`,
        ],
        action: { label: 'Write to support', url: `${this.config.PUBLIC_URL}${pages.support.path}?tab=contact` },
        reason: say`You get this mail because this was the address of your account.`,
      }
    )
  }

  #find(id: unknown): Promise<User | null> {
    return this.dataSource.getRepository(User).findOneBy({ id: String(id) })
  }
}
