import { userUpdated } from '@holdfast/contracts/events'
import { pages } from '@holdfast/contracts/pages'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { DomainError } from '@holdfast/kernel/errors'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import { type QueuedMail, queueMail } from '@holdfast/mail/queue-mail'
import { recipientKey } from '@holdfast/mail/recipient-key'
import { say } from '@holdfast/mail/sentence'
import { type AttemptLimit, Attempts } from '@holdfast/service-kit/auth/attempts'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import type { Queryable } from '@holdfast/service-kit/database/queryable'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, IsNull } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { User, viewOf } from '../users/user.entity.js'
import { EmailChangeService } from './email-change.service.js'
import { MailedTokens } from './mailed-tokens.js'
import { takenFieldOf } from './taken.js'

const KIND = 'confirm-email'
/** Links that a user may ask for. */
export const CONFIRMATIONS_PER_USER: AttemptLimit = {
  attempts: 5,
  seconds: 60 * 60,
  refusal:
    'You have asked for several links. Please look into your mailbox, also at unwanted mail, or try again later.',
}

/** Links to one mailbox, whatever accounts they are for: anybody can open accounts with variants of another person's address. */
export const CONFIRMATIONS_PER_MAILBOX: AttemptLimit = { ...CONFIRMATIONS_PER_USER, attempts: 10 }

/** Finds out that an e-mail address is its user's: whoever opens the mailed link reads the mails of that address. */
@Injectable()
export class EmailConfirmationService implements OnModuleInit {
  readonly #perUser: Attempts
  readonly #perMailbox: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: MailedTokens,
    private readonly changes: EmailChangeService,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.#perUser = new Attempts(dataSource, 'confirm-email', CONFIRMATIONS_PER_USER)
    this.#perMailbox = new Attempts(dataSource, 'confirm-email-mailbox', CONFIRMATIONS_PER_MAILBOX)
  }

  onModuleInit(): void {
    this.mailer.add(KIND, mail => this.#compose(mail))
  }

  /**
   * Counts a link that is about to be mailed for a new account. The account opens in any case: otherwise a stranger could keep a
   * person from opening one.
   *
   * @returns false when the mailbox got too many links; the user can ask for one later
   */
  async mayMail(email: string): Promise<boolean> {
    try {
      await this.#perMailbox.count(recipientKey(email))
      return true
    } catch (error) {
      if (error instanceof DomainError && error.code === 'RATE_LIMITED') return false
      throw error
    }
  }

  /** Queues a mail with a link, in the dbTx of what it is about. */
  async queue(dbTx: Queryable, { id, email }: Pick<User, 'id' | 'email'>): Promise<void> {
    await queueMail(dbTx, { kind: KIND, recipient: email, data: { userId: id } })
  }

  /**
   * Mails another link, unless the address is confirmed.
   *
   * @throws DomainError `RATE_LIMITED`
   */
  async sendAgain(userId: string): Promise<void> {
    const user = await this.#find(userId)
    if (!user || user.emailConfirmedAt) return
    await this.#perUser.count(userId)
    await this.#perMailbox.count(recipientKey(user.email))
    await this.queue(this.dataSource.manager, user)
  }

  /**
   * Confirms the address to which the token was mailed. When the user has another address meanwhile, nothing is confirmed. An address that
   * the user wants to change to becomes theirs. A link to confirm an address that is used again gets the same answer.
   *
   * The link alone shows who reads the mails, and not that this person uses the account: anybody can open one with any address. So the link
   * must be opened in a session of the account (ADR 150).
   *
   * @param userIdOfSession the user of the session in which the link was opened; null without one
   * @throws DomainError `GONE`; `EMAIL_TAKEN` when another account has taken it meanwhile; `SIGN_IN_TO_CONFIRM`, then the link can be used again
   */
  async confirm(token: string, userIdOfSession: string | null): Promise<void> {
    const confirming = this.dataSource.transaction(async dbTx => {
      const { userId, purpose, email } = await this.tokens.take(dbTx, token, 'confirm_email', 'change_email')
      if (userId !== userIdOfSession) throw new DomainError('SIGN_IN_TO_CONFIRM')
      if (purpose === 'change_email') await this.changes.change(dbTx, userId, email)
      else await confirmAddress(dbTx, userId, email)
    })
    await confirming.catch((error: unknown) => {
      throw takenFieldOf(error) ?? error
    })
  }

  async #compose({ recipient, data }: QueuedMail): Promise<MailContent | null> {
    const user = await this.#find(String(data.userId))
    if (!user || user.emailConfirmedAt || user.email !== recipient) return null
    const token = await this.tokens.make(user, 'confirm_email', user.email)
    if (!token) return null
    return {
      subject: say`Confirm your e-mail address`,
      paragraphs: [
        say`Please confirm that this is your e-mail address. We write to it when money of yours moves, and when you have forgotten your password.`,
        say`The link can be used within a day.`,
      ],
      // After the number sign: browsers send that part to no server, so it is in no log.
      action: { label: 'Confirm this address', url: `${this.config.PUBLIC_URL}${pages.confirmEmail.path}#${token}` },
      reason: say`You get this mail because somebody opened a Holdfast account with this address. If it was not you, do nothing.`,
    }
  }

  #find(id: string): Promise<User | null> {
    return this.dataSource.getRepository(User).findOneBy({ id })
  }
}

/** Notes in a dbTx that a user reads the mails of an address, when it still is theirs, and publishes it the first time. */
export async function confirmAddress(dbTx: EntityManager, id: string, email: string): Promise<void> {
  const unconfirmed = { id, email, emailConfirmedAt: IsNull() }
  const { affected } = await dbTx.update(User, unconfirmed, { emailConfirmedAt: () => 'clock_timestamp()' })
  if (affected === 0) return
  const user = await dbTx.findOneByOrFail(User, { id })
  // Read after the row is locked, so that events of the user are in the order of their times.
  await appendToOutbox(dbTx, newEvent(userUpdated, id, { user: viewOf(user) }, await databaseTime(dbTx)))
}
