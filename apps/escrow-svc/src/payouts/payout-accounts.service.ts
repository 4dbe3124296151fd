import type { PayloadOf, userUpdated } from '@holdfast/contracts/events'
import type { PayoutAccount } from '@holdfast/contracts/payouts'
import { DomainError } from '@holdfast/kernel/errors'
import { PAYOUT_EVERY_DAYS } from '@holdfast/kernel/payouts'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, IsNull } from 'typeorm'
import type { z } from 'zod'
import { isClosedForEver } from '../accounts/closed-users.js'
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
  VALUES ($1, $2, coalesce($4, true), $3, now(), now())
  ON CONFLICT (user_id) DO UPDATE SET is_verified = excluded.is_verified,
    email_confirmed = coalesce($4, known.email_confirmed), known_at = excluded.known_at, updated_at = now()
  WHERE known.known_at <= excluded.known_at`

const ENSURE = `INSERT INTO payout_account (user_id, created_at, updated_at) VALUES ($1, now(), now()) ON CONFLICT DO NOTHING`

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
   * Keeps from an event whether a user is verified and has confirmed their e-mail address. An event of an older release does not say the
   * latter: then it stays as it was.
   *
   * @param manager the dbTx of the event
   */
  async keepUser(
    { id, isVerified, emailConfirmed }: PayloadOf<typeof userUpdated>['user'],
    occurredAt: string,
    manager: EntityManager,
  ): Promise<void> {
    await manager.query(KEEP_USER, [id, isVerified, occurredAt, emailConfirmed ?? null])
    await this.schedule(manager, id)
  }

  /** Whether a user is verified, as far as the latest event says. */
  isVerified(userId: string): Promise<boolean> {
    return this.accounts.existsBy({ userId, isVerified: true })
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
        { userId, providerAccountId: IsNull() },
        { providerAccountId, status: 'onboarding', updatedAt: this.clock.now() },
      )
      return (await this.accounts.findOneByOrFail({ userId })).providerAccountId as string
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
   * Asks the provider and keeps its answer, unless the provider was asked again meanwhile: that answer is newer. The provider chooses the bank
   * of a payout when it sends it, so the payouts that it has not sent name the bank of the answer. Of a closed account nothing is kept: the
   * answer names the bank, which was erased.
   */
  private async ask({ userId, providerAccountId }: PayoutAccountEntity): Promise<PayoutAccountEntity> {
    if (!providerAccountId) throw new Error(`the payout account of ${userId} is not open yet`)
    const askedAt = this.clock.now()
    await this.accounts.update({ userId }, { askedAt })
    const found = await this.provider.getAccount(providerAccountId)
    await this.dataSource.transaction(async manager => {
      if (await isClosedForEver(manager, userId)) return
      const kept = await manager.update(
        PayoutAccountEntity,
        { userId, askedAt },
        { ...found, updatedAt: this.clock.now() },
      )
      if (kept.affected === 1)
        await manager.update(
          PayoutEntity,
          { sellerId: userId, providerAccountId, status: 'scheduled', failure: IsNull() },
          { bankLabel: found.bankLabel },
        )
      await this.schedule(manager, userId)
    })
    return this.accounts.findOneByOrFail({ userId })
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
