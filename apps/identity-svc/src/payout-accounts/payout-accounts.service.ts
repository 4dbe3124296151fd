import { type PayloadOf, type payoutAccountChanged, userConfirmedPayoutAccount } from '@holdfast/contracts/events'
import { pages } from '@holdfast/contracts/pages'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { assert } from '@holdfast/kernel/assert'
import { DomainError } from '@holdfast/kernel/errors'
import { PAYOUT_ACCOUNT_WAIT_DAYS } from '@holdfast/kernel/payouts'
import type { MailContent } from '@holdfast/mail/mail-content'
import { Mailer } from '@holdfast/mail/mailer'
import { type QueuedMail, queueMail } from '@holdfast/mail/queue-mail'
import { ours, say, written } from '@holdfast/mail/sentence'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { IdentityConfig } from '../config.js'
import { MailedTokens } from '../credentials/mailed-tokens.js'
import { User } from '../users/user.entity.js'

const KIND = 'payout-account-changed'
const PURPOSE = 'confirm_payout_account'

type Change = PayloadOf<typeof payoutAccountChanged>

/**
 * Tells sellers by mail that they are paid into another bank account, and lets them confirm it. Until then, or for PAYOUT_ACCOUNT_WAIT_DAYS,
 * escrow-svc pays nothing into it (ADR 139). Notifications can be switched off; this mail cannot.
 */
@Injectable()
export class PayoutAccountsService implements OnModuleInit {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: MailedTokens,
    private readonly mailer: Mailer,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  onModuleInit(): void {
    this.mailer.add(KIND, mail => this.#compose(mail))
  }

  /** Queues the mail about a change, in the dbTx of its event. A closed account has no address. */
  async queue({ sellerId, changeId, bankLabel, waitsUntil }: Change, dbTx: EntityManager): Promise<void> {
    const user = await dbTx.findOneBy(User, { id: sellerId })
    if (!user || user.closedAt !== null) return
    const data = { userId: sellerId, changeId, bankLabel, waits: waitsUntil !== null }
    await queueMail(dbTx, { kind: KIND, recipient: user.email, data })
  }

  /**
   * The user of a session confirms the change that the token is about. escrow-svc reads it in an event. A change that came since waits on.
   *
   * @throws DomainError `GONE`; `SIGN_IN_TO_CONFIRM` in a session of another account, then the link can be used again
   */
  async confirm(token: string, userIdOfSession: string): Promise<void> {
    await this.dataSource.transaction(async dbTx => {
      const { userId, changeId } = await this.tokens.take(dbTx, token, PURPOSE)
      if (userId !== userIdOfSession) throw new DomainError('SIGN_IN_TO_CONFIRM')
      assert(changeId, 'a link about a payout account names the change')
      const at = await databaseTime(dbTx)
      await appendToOutbox(
        dbTx,
        newEvent(userConfirmedPayoutAccount, userId, { userId, changeId, at: at.toISOString() }, at),
      )
    })
  }

  async #compose({ recipient, data }: QueuedMail): Promise<MailContent | null> {
    const user = await this.dataSource.getRepository(User).findOneBy({ id: String(data.userId) })
    if (!user || user.closedAt !== null) return null
    const another = 'another bank account'
    const bank = data.bankLabel === null ? ours(another) : written(String(data.bankLabel), another)
    const mail = {
      firstName: user.firstName,
      reason: say`You get this mail because it is about where your money goes.`,
    }
    const security = say`If it was not you, set a new password here, which signs everybody out, and write to our support team at once.`
    const reset = { label: 'Set a new password', url: `${this.config.PUBLIC_URL}${pages.forgotPassword.path}` }
    if (!data.waits)
      return {
        ...mail,
        subject: say`A payout account was added`,
        paragraphs: [say`Your sales are paid out to ${bank} from now on.`, security],
        action: reset,
      }
    const isNewAddress = await this.#isNewAddress(user)
    const token =
      user.email === recipient && !isNewAddress
        ? await this.tokens.make(user, PURPOSE, user.email, String(data.changeId))
        : null
    return {
      ...mail,
      subject: say`Your payout account was changed`,
      paragraphs: [
        say`Your sales are to be paid out to ${bank} from now on. Nothing is paid there for ${ours(String(PAYOUT_ACCOUNT_WAIT_DAYS))} days, so that you can stop it.`,
        ...(token ? [say`If it was you and you do not want to wait, confirm it here within a day.`] : []),
        ...(isNewAddress
          ? [say`Your e-mail address was changed a short time ago, so you cannot shorten this time.`]
          : []),
        say`If it was not you, do not confirm it. Set a new password, which signs everybody out: ${ours(reset.url)}. Then name your own bank account on your profile, and write to our support team at once.`,
      ],
      action: token
        ? {
            label: 'Confirm this payout account',
            url: `${this.config.PUBLIC_URL}${pages.confirmPayoutAccount.path}#${token}`,
          }
        : reset,
    }
  }

  /**
   * Whether the user has their present address for less time than payouts wait. Then a thief of the account may read its mails, and only the
   * person at the address before was told.
   */
  async #isNewAddress({ emailChangedAt }: User): Promise<boolean> {
    if (emailChangedAt === null) return false
    const waitMs = PAYOUT_ACCOUNT_WAIT_DAYS * this.config.DAY_SECONDS * 1000
    return (await databaseTime(this.dataSource)).getTime() - emailChangedAt.getTime() < waitMs
  }
}
