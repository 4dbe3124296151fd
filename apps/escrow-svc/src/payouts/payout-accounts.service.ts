import {
  type PayloadOf,
  payoutAccountChanged,
  type userConfirmedPayoutAccount,
  type userUpdated,
} from '@holdfast/contracts/events'
import type { PayoutAccount } from '@holdfast/contracts/payouts'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { PAYOUT_ACCOUNT_WAIT_DAYS, PAYOUT_EVERY_DAYS } from '@holdfast/kernel/payouts'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, IsNull, LessThan } from 'typeorm'
import type { z } from 'zod'
import { isClosedForEver } from '../accounts/closed-users.js'
import { CustomersService } from '../billing/customers.service.js'
import { SubscriptionsService } from '../billing/subscriptions.service.js'
import type { EscrowConfig } from '../config.js'
import { AttemptFailed } from '../provider/stripe-calls.js'
import { AccountGone, AccountRefused, ConnectProvider } from './connect.provider.js'
import { PayoutAccountEntity, PayoutEntity } from './payout.entity.js'

/** The most forms for a payout account that a user may ask for: the provider's limit of requests is shared by all users. */
const FORMS_OF_A_USER = { attempts: 20, seconds: 600 } as const
/** While an account is not ready, the provider is asked about it at most this often. */
const ASK_AGAIN_AFTER_MS = 3_000
/** A user who looks at the account waits this long for the provider. Then they see what we knew before. */
const ANSWER_WITHIN_MS = 2_000
/** The page to which the provider's form leads back. */
const RETURN_PATH = '/profile?tab=payments'

// A redelivered event can be older than the row. Then the row is not changed.
const KEEP_USER = `INSERT INTO payout_account AS known (user_id, is_verified, email_confirmed, known_at, created_at, updated_at)
  VALUES ($1, $2, $4, $3, now(), now())
  ON CONFLICT (user_id) DO UPDATE SET is_verified = excluded.is_verified,
    email_confirmed = excluded.email_confirmed, known_at = excluded.known_at, updated_at = now()
  WHERE known.known_at <= excluded.known_at`

const ENSURE = `INSERT INTO payout_account (user_id, created_at, updated_at) VALUES ($1, now(), now()) ON CONFLICT DO NOTHING`

// Every later event of the user repeats the time of the takeover. Only the first one that arrives has an effect. The attempt is counted up, so
// that an account which a request of the previous person is opening at this moment is not kept.
const TAKE_OVER = `UPDATE payout_account SET taken_over_at = $2, provider_account_id = NULL, status = 'none', reason = NULL,
    bank_label = NULL, bank_id = NULL, bank_change_id = NULL, waits_until = NULL, next_payout_at = NULL, asked_at = NULL,
    attempt = attempt + 1, updated_at = now()
  WHERE user_id = $1 AND (taken_over_at IS NULL OR taken_over_at < $2) RETURNING 1`

const WAIT = `UPDATE payout_account SET bank_change_id = $2, waits_until = $3, next_payout_at = greatest(next_payout_at, $3)
  WHERE user_id = $1`
const GO_ON = `UPDATE payout_account SET waits_until = NULL, next_payout_at = least(next_payout_at, now() + $3 * interval '1 millisecond')
  WHERE user_id = $1 AND bank_change_id = $2 AND waits_until IS NOT NULL`

// The questions are counted, because their answers may come in another order. An answer that was given while a later question is still
// open counts: whoever has asked decides by it.
const ASK = 'UPDATE payout_account SET asks = asks + 1, asked_at = $2 WHERE user_id = $1 RETURNING asks'

// The payouts of a seller begin when these conditions are met, and pause while one is not. A closed account has none.
const SCHEDULE = `UPDATE payout_account SET next_payout_at = CASE WHEN is_verified AND email_confirmed AND status = 'ready'
      AND NOT EXISTS (SELECT FROM closed_user WHERE closed_user.user_id = $1 AND closed_at IS NOT NULL)
    THEN coalesce(next_payout_at, now() + $2 * interval '1 millisecond') END
  WHERE user_id = $1`

/** The accounts at the provider into which sellers are paid, and which users are verified and have confirmed their address. */
@Injectable()
export class PayoutAccountsService {
  private readonly log = loggerOf('payout-accounts')
  private readonly forms: Attempts

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: ConnectProvider,
    private readonly subscriptions: SubscriptionsService,
    private readonly customers: CustomersService,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {
    this.forms = new Attempts(dataSource, 'payout-account-forms', FORMS_OF_A_USER)
  }

  /**
   * The payout account of a user. Until it is ready, the provider is asked: the user may just have come back from its form. When
   * the provider gives no answer, it is what we knew before.
   */
  async view(userId: string): Promise<z.input<typeof PayoutAccount>> {
    const known = await this.accounts.findOneBy({ userId })
    if (!known) return { status: 'none', bankLabel: null, reason: null }
    const { status, reason, bankLabel } = known.status === 'ready' ? known : await this.askIfDue(known)
    return { status, reason, bankLabel }
  }

  /**
   * Opens the user's account at the provider, unless there is one that is not closed, and returns the address of the provider's form
   * for it.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`, `PAYOUT_ACCOUNT_UNAVAILABLE`, `RATE_LIMITED`
   */
  async onboard(userId: string) {
    await this.forms.count(userId)
    await this.dataSource.query(ENSURE, [userId])
    const before = await this.accounts.findOneByOrFail({ userId })
    const onboardingUrl = await this.formOf(before)
    const { status } = await this.accounts.findOneByOrFail({ userId })
    return { status, onboardingUrl }
  }

  /**
   * Keeps from an event whether a user is verified and has confirmed their e-mail address. When the owner of the address has taken the account
   * over, the payout account and the saved cards of the previous person are forgotten in the same dbTx, so that nothing is paid to them in
   * between (ADR 150).
   *
   * @param manager the dbTx of the event
   */
  async keepUser(
    { id, isVerified, emailConfirmed, takenOverAt }: PayloadOf<typeof userUpdated>['user'],
    occurredAt: string,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(KEEP_USER, [id, isVerified, occurredAt, emailConfirmed])
    if (takenOverAt) await this.takeOver(manager, id, takenOverAt)
    await this.schedule(manager, id)
  }

  private async takeOver(manager: EntityManager, userId: string, at: string): Promise<void> {
    const [, takenOver]: [unknown, number] = await manager.query(TAKE_OVER, [userId, at])
    if (takenOver === 0) return
    await this.subscriptions.endAtOnce(manager, userId)
    await this.customers.deleteSoon(manager, userId)
  }

  /** The seller has confirmed with a mailed link that the change was theirs. Nothing happens when there was another change since. */
  async goOn(
    { userId, changeId }: PayloadOf<typeof userConfirmedPayoutAccount>,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(GO_ON, [userId, changeId, PAYOUT_EVERY_DAYS * this.config.DAY_SECONDS * 1000])
  }

  /** Whether a user is verified, as far as the latest event says. */
  isVerified(userId: string): Promise<boolean> {
    return this.accounts.existsBy({ userId, isVerified: true })
  }

  /**
   * The provider's id of the bank into which payouts of an account go, as it was last asked about. Null when nothing may be paid into it now: its
   * bank was changed, or it is not the seller's any more.
   */
  async bankIdOf(userId: string, providerAccountId: string): Promise<string | null> {
    const [found]: { bankId: string | null }[] = await this.dataSource.query(
      `SELECT bank_id AS "bankId" FROM payout_account WHERE user_id = $1 AND provider_account_id = $2
         AND (waits_until IS NULL OR waits_until <= clock_timestamp())`,
      [userId, providerAccountId],
    )
    return found?.bankId ?? null
  }

  /**
   * Asks the provider about an account after a message about it. The message's own content does not count: messages come in
   * any order.
   *
   * @returns false when no user of ours has the account
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`: then the provider sends the message again
   */
  async refreshAccount(accountId: string): Promise<boolean> {
    const account = await this.accounts.findOneBy({ providerAccountId: accountId })
    if (!account) return false
    await this.ask(account)
    return true
  }

  /** The address of the form for a user's account. In place of one that the provider has closed another one is opened. */
  private async formOf(account: PayoutAccountEntity): Promise<string> {
    const { userId, providerAccountId, attempt } = account
    const accountId = providerAccountId ?? (await this.open(account))
    try {
      return await this.provider.onboardingUrl(accountId, this.returnUrl)
    } catch (error) {
      if (!(error instanceof AccountGone) || providerAccountId === null) throw error
      this.log.warn(
        { err: error, userId, accountId },
        'the provider has closed a payout account: another one is opened',
      )
      const closed = {
        providerAccountId: null,
        status: 'none',
        reason: null,
        bankLabel: null,
        nextPayoutAt: null,
      } as const
      // Of several requests at the same time one forgets the account, and all open the next one under the same key.
      const change = { ...closed, attempt: attempt + 1, updatedAt: this.clock.now() }
      await this.accounts.update({ userId, providerAccountId }, change)
      return this.formOf(await this.accounts.findOneByOrFail({ userId }))
    }
  }

  /** Opens the account at the provider and records it. Requests at the same time open one account: they share a key. */
  private async open({ userId, attempt }: PayoutAccountEntity): Promise<string> {
    try {
      const providerAccountId = await this.provider.openAccount(userId, attempt)
      await this.accounts.update(
        { userId, providerAccountId: IsNull(), attempt },
        { providerAccountId, status: 'onboarding', updatedAt: this.clock.now() },
      )
      const { providerAccountId: kept } = await this.accounts.findOneByOrFail({ userId })
      // The account was taken over meanwhile, so what this request has opened is nobody's.
      if (kept === null) throw new DomainError('CONFLICT')
      return kept
    } catch (error) {
      if (error instanceof AttemptFailed) {
        await this.accounts.update({ userId, attempt }, { attempt: attempt + 1 })
        throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
      }
      if (!(error instanceof AccountRefused)) throw error
      this.log.warn({ err: error, userId }, 'the provider opens no payout account for a user')
      throw new DomainError('PAYOUT_ACCOUNT_UNAVAILABLE')
    }
  }

  private async askIfDue(account: PayoutAccountEntity): Promise<PayoutAccountEntity> {
    const { askedAt, providerAccountId } = account
    const askedBeforeMs = askedAt && this.clock.now().getTime() - askedAt.getTime()
    // Another replica's clock may be ahead. Then its question counts as old.
    const isRecent = askedBeforeMs !== null && askedBeforeMs >= 0 && askedBeforeMs < ASK_AGAIN_AFTER_MS
    if (!providerAccountId || isRecent) return account
    const asked = this.ask(account).catch((error: unknown) => {
      this.log.warn({ err: error, userId: account.userId }, 'the provider gave no answer about a payout account')
      return account
    })
    // A late answer is kept, and the user's next look finds it.
    return (await isDoneWithin(ANSWER_WITHIN_MS, asked)) ? asked : account
  }

  /**
   * Asks the provider and keeps its answer, unless the answer to a later question is kept already. The provider chooses the bank
   * of a payout when it sends it, so the payouts that it has not sent name the bank of the answer. Of a closed account nothing is kept: the
   * answer names the bank, which was erased. After another bank account was named, payouts wait, and the seller is told.
   */
  private async ask({ userId, providerAccountId }: PayoutAccountEntity): Promise<PayoutAccountEntity> {
    if (!providerAccountId) throw new Error(`the payout account of ${userId} is not open yet`)
    const [[asked]]: [{ asks: number }[]] = await this.dataSource.query(ASK, [userId, this.clock.now()])
    const nth = asked!.asks
    const found = await this.provider.getAccount(providerAccountId)
    await this.dataSource.transaction(async manager => {
      if (await isClosedForEver(manager, userId)) return
      const lock = { mode: 'pessimistic_write' } as const
      const where = { userId, providerAccountId, recordedAsk: LessThan(nth) }
      const before = await manager.findOne(PayoutAccountEntity, { where, lock })
      if (before) {
        // When the account has no bank any more, the id of the last one stays, so that the next one is noticed as another bank.
        const bankId = found.bankId ?? before.bankId
        const kept = { ...found, bankId, recordedAsk: nth, updatedAt: this.clock.now() }
        await manager.update(PayoutAccountEntity, { userId }, kept)
        await manager.update(
          PayoutEntity,
          { sellerId: userId, providerAccountId, status: 'scheduled', failure: IsNull() },
          { bankLabel: found.bankLabel },
        )
        if (isOtherBank(before, kept)) await this.noteChange(manager, { ...before, ...kept }, isFirstBank(before))
      }
      await this.schedule(manager, userId)
    })
    return this.accounts.findOneByOrFail({ userId })
  }

  /** Publishes that a seller has another bank account. Payouts wait, unless it is their first one. */
  private async noteChange(
    manager: EntityManager,
    { userId, bankLabel }: PayoutAccountEntity,
    isFirst: boolean,
  ): Promise<void> {
    const [changeId, now] = [newId(), await databaseTime(manager)]
    const waitMs = PAYOUT_ACCOUNT_WAIT_DAYS * this.config.DAY_SECONDS * 1000
    const waitsUntil = isFirst ? null : new Date(now.getTime() + waitMs)
    if (waitsUntil) await manager.query(WAIT, [userId, changeId, waitsUntil])
    const change = { sellerId: userId, changeId, bankLabel, waitsUntil: waitsUntil?.toISOString() ?? null }
    await appendToOutbox(manager, newEvent(payoutAccountChanged, userId, { ...change, at: now.toISOString() }, now))
  }

  private async schedule(manager: EntityManager, userId: string): Promise<void> {
    await manager.query(SCHEDULE, [userId, PAYOUT_EVERY_DAYS * this.config.DAY_SECONDS * 1000])
  }

  private get returnUrl(): string {
    return new URL(RETURN_PATH, this.config.PUBLIC_URL).href
  }

  private get accounts() {
    return this.dataSource.getRepository(PayoutAccountEntity)
  }
}

type Bank = Pick<PayoutAccountEntity, 'bankId' | 'bankLabel'>

const isFirstBank = ({ bankId, bankLabel }: Bank): boolean => bankId === null && bankLabel === null

/** Of a bank that an earlier release has recorded only the label is known. */
const isOtherBank = (before: Bank, after: Bank): boolean =>
  before.bankId === null && before.bankLabel !== null
    ? after.bankLabel !== null && after.bankLabel !== before.bankLabel
    : after.bankId !== before.bankId
