import {
  payoutPaid as paidEvent,
  payoutReturned as returnedEvent,
  payoutSent as sentEvent,
} from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { pauseAfter } from '@holdfast/kernel/backoff'
import { UUID_PATTERN } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import type { Deadline } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, IsNull, Not } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { payoutPaid, payoutReturned } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { AttemptFailed } from '../provider/stripe-calls.js'
import { AccountGone, ConnectProvider, PayoutRefused } from './connect.provider.js'
import type { SentPayout } from './connect-objects.js'
import { PayoutEntity } from './payout.entity.js'
import { PayoutAccountsService } from './payout-accounts.service.js'
import { sellerBalanceOf } from './seller-balance.js'

/** The name of the timer that sends payouts and asks about them. */
export const PAYOUT_TIMER = 'payout'

const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 3_600_000
/** The provider is asked this often about a payout that is on its way. */
const ASK_AFTER_DAYS = 1 / 24
/** A bank may return a payout within this time after it was paid (docs.stripe.com/payouts). Then it is asked about once more. */
const RETURNS_WITHIN_DAYS = 5
/**
 * This long after a payout was given back without a transfer, the provider is asked whether it has made one after all. By then every call that
 * was under way has ended.
 */
const LATE_TRANSFER_WITHIN_DAYS = 1 / 96

const NOT_SENT = 'The payment provider did not take the payout.'
const NOT_VERIFIED = 'Holdfast must verify your identity again first.'
const ACCOUNT_CHANGED = 'It was not sent, because your payout account was changed.'
const NEEDED_FOR_CHARGEBACK =
  'It was not sent, because the money is needed for a chargeback or a correction of your balance.'

const CHANGED = { message: 'the payout account was changed', failure: ACCOUNT_CHANGED }

const returned = counter('escrow_payouts_returned_total', 'Payouts that did not reach the bank, or came back')

/**
 * Sends payouts. A payout's row is committed with the decision. Then the provider is called, step by step: a transfer to the
 * seller's account there, and a payout from it to the bank. Each step is recorded before the next, and each is tried until its
 * outcome is known. What fails is moved back to our balance, and then to the seller's.
 */
@Injectable()
export class PayoutSendingService {
  private readonly log = loggerOf('payouts')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: ConnectProvider,
    private readonly accounts: PayoutAccountsService,
    private readonly timers: Timers,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /** The payouts that are to be sent, asked about or taken back within a time from now. The earliest comes first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.payouts.find({
      where: { dueAt: dueWithin(aheadMs) },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.dueAt as Date }))
  }

  /** Takes the next step of a payout at the provider, if it is due. When it fails, it is due again after a pause. */
  async send(id: string): Promise<void> {
    const payout = await this.claim(id)
    if (!payout) return
    try {
      if (payout.failure !== null) await this.takeBack(payout)
      else if (payout.status === 'scheduled') await this.sendOn(payout)
      else await this.ask(payout)
    } catch (error) {
      if (error instanceof PayoutRefused) return this.returnUnsent(payout, error.message, NOT_SENT)
      await this.noteFailure(payout, error)
    }
  }

  /**
   * Handles the provider's event about a payout of a seller's account. Our id in its metadata is not enough: the account, the
   * amount and the currency must be those of our payout, too.
   *
   * @returns false when the event is about another payout
   */
  async record(event: { readonly accountId: string; readonly payoutId: string | null } & SentPayout): Promise<boolean> {
    const { providerPayoutId, payoutId } = event
    const payout =
      (await this.payouts.findOneBy({ providerPayoutId })) ??
      (payoutId !== null && UUID_PATTERN.test(payoutId) ? await this.payouts.findOneBy({ id: payoutId }) : null)
    if (!payout || payout.providerAccountId !== event.accountId) return false
    if (payout.amountMinor !== event.amountMinor || payout.currency !== event.currency) return false
    return this.advance(payout.id, event)
  }

  /**
   * Whether we have reversed a transfer ourselves, because its payout failed, or because another replica had given the payout up. Somebody
   * else's reversal is not booked by itself: the payout may reach the seller's bank all the same, so an operator must look.
   */
  async isOwnReversal({ transferId, group }: { transferId: string; group: string | null }): Promise<boolean> {
    const payout = group !== null && UUID_PATTERN.test(group) ? await this.payouts.findOneBy({ id: group }) : null
    if (!payout) return false
    return payout.failure !== null || (payout.transferId !== null && payout.transferId !== transferId)
  }

  /** Counts an attempt before it is made, and sets when it is repeated. Of two replicas one gets the payout. */
  private async claim(id: string): Promise<PayoutEntity | null> {
    const found = await this.payouts.findOneBy({ id, dueAt: dueWithin(0) })
    if (!found) return null
    const { attempts } = found
    const pauseMs =
      found.failure === null && found.status !== 'scheduled'
        ? this.daysMs(ASK_AFTER_DAYS)
        : pauseAfter(attempts + 1, { firstMs: FIRST_RETRY_MS, longestMs: MAX_RETRY_MS })
    const { affected } = await this.payouts.update(
      { id, attempts, dueAt: dueWithin(0) },
      { attempts: attempts + 1, dueAt: fromNow(pauseMs) },
    )
    return affected === 1 ? found : null
  }

  private async sendOn(payout: PayoutEntity): Promise<void> {
    const { id, providerAccountId: accountId, amountMinor, currency, sendAttempt: attempt } = payout
    const step = { id, accountId, amountMinor, currency, attempt, isRepeated: payout.attempts > 0 }
    // The provider chooses the bank when it sends the payout, and its message about another one may not have arrived.
    await this.accounts.refreshAccount(accountId)
    if (payout.transferId === null) {
      const stop = await this.stopOf(payout)
      if (stop) return this.returnUnsent(payout, stop.message, stop.failure)
      const transferId = await this.provider.transfer(step)
      // Our books and the provider's are compared by day, so the time is the database's.
      const at = await databaseTime(this.dataSource)
      // Both steps count their attempts in the same column, and each has keys of its own.
      const { affected } = await this.payouts.update(
        { id, transferId: IsNull(), failure: IsNull() },
        { transferId, transferredAt: at, sendAttempt: 1, updatedAt: at },
      )
      // Another replica was faster.
      if (affected !== 1) return this.reverseForgotten(id, transferId, attempt)
      step.attempt = 1
    }
    // The bank can be changed until the moment at which the provider gets the payout, so the payout names it.
    const bankId = await this.accounts.bankIdOf(payout.sellerId, accountId)
    if (bankId === null && !(await this.provider.hasPayout(id, accountId)))
      return this.returnUnsent(payout, CHANGED.message, CHANGED.failure)
    await this.advance(id, await this.provider.payOut({ ...step, bankId }))
  }

  /**
   * Another replica may have found no transfer and given the money back to the seller, while the provider was still making this one. It is
   * reversed then, and the timer repeats that until it is done. Mostly the other replica knows this transfer: the same call gives both the
   * same one.
   */
  private async reverseForgotten(id: string, transferId: string, attempt: number): Promise<void> {
    const { transferId: known } = await this.payouts.findOneByOrFail({ id })
    if (known === transferId) return
    this.log.error(
      { payoutId: id, transferId },
      'a payout that was returned was transferred after all: the transfer is reversed',
    )
    await this.payouts.update({ id, status: 'returned', transferId: IsNull() }, { dueAt: fromNow(0) })
    await this.provider.reverse(transferId, { id, attempt })
  }

  /** Why a payout is not to be sent; null when it is, and when its money may have left our balance already. */
  private async stopOf(payout: PayoutEntity): Promise<{ readonly message: string; readonly failure: string } | null> {
    const stop = await this.changeSince(payout)
    return stop && payout.attempts > 0 && (await this.provider.transferOf(payout.id)) !== null ? null : stop
  }

  /**
   * What has changed since a payout was decided so that it would not be made now. Its amount is not on the balance any more. So when a
   * chargeback has taken, or may take, more than what is left there, a part of this amount is needed for it.
   */
  private async changeSince({ sellerId, currency, providerAccountId }: PayoutEntity) {
    if ((await this.accounts.bankIdOf(sellerId, providerAccountId)) === null) return CHANGED
    if (!(await this.accounts.isVerified(sellerId)))
      return { message: 'the seller is not verified any more', failure: NOT_VERIFIED }
    const { payableMinor } = await sellerBalanceOf(this.dataSource, sellerId, currency)
    return payableMinor < 0n
      ? {
          message: 'the money is needed for a chargeback or a correction of the balance',
          failure: NEEDED_FOR_CHARGEBACK,
        }
      : null
  }

  private async ask({ id, providerPayoutId, providerAccountId, status }: PayoutEntity): Promise<void> {
    if (!providerPayoutId) throw new Error(`payout ${id} was sent and has no id of the provider`)
    try {
      const found = await this.askAbout(id, () => this.provider.getPayout(providerPayoutId, providerAccountId))
      await this.advance(id, found)
      // It was paid some days ago, and the bank has kept it.
      if (status === 'paid' && found.status === 'paid') await this.payouts.update({ id, status }, { dueAt: null })
    } catch (error) {
      if (status !== 'paid' || !(error instanceof AccountGone)) throw error
      this.log.warn({ err: error, payoutId: id }, 'the provider does not say any more whether a paid payout came back')
      await this.payouts.update({ id, status }, { dueAt: null, unansweredSince: null, lastError: error.message })
    }
  }

  /** Asks the provider about a payout, and records since when it gives no answer. */
  private async askAbout(id: string, question: () => Promise<SentPayout>): Promise<SentPayout> {
    try {
      const answer = await question()
      await this.payouts.update({ id, unansweredSince: Not(IsNull()) }, { unansweredSince: null, lastError: null })
      return answer
    } catch (error) {
      await this.payouts.update({ id, unansweredSince: IsNull() }, { unansweredSince: fromNow(0) })
      throw error
    }
  }

  /** Moves the money of a payout that failed back to our balance, and then to the seller's. */
  private async takeBack(payout: PayoutEntity): Promise<void> {
    const { id, status, transferId, sendAttempt: attempt, providerAccountId } = payout
    if (status === 'returned') return this.reverseLate(payout)
    if (transferId !== null) await this.provider.reverse(transferId, { id, attempt })
    await this.refreshAccount(providerAccountId)
    await this.finishReturn(id)
  }

  /** Reverses the transfer that the provider has made after the payout was given back, if there is one, and records both. */
  private async reverseLate({ id, sendAttempt: attempt }: PayoutEntity): Promise<void> {
    const transferId = await this.provider.transferOf(id)
    if (transferId !== null) await this.provider.reverse(transferId, { id, attempt })
    const at = await databaseTime(this.dataSource)
    const moved = transferId === null ? {} : { transferId, transferredAt: at, reversedAt: at }
    await this.payouts.update({ id, status: 'returned' }, { ...moved, dueAt: null })
  }

  /**
   * Asks about the account of a payout that failed: the provider may have stopped it, and the next payout would come back as well.
   * The seller's balance does not wait for the answer.
   */
  private async refreshAccount(accountId: string): Promise<void> {
    try {
      await this.accounts.refreshAccount(accountId)
    } catch (error) {
      this.log.error({ err: error, accountId }, 'the provider does not say how the account of a returned payout is')
    }
  }

  /**
   * Moves a payout on to the status that the provider reports, in one dbTx with its entry and its event. A status that it has passed
   * already changes nothing: the provider's events come in any order.
   *
   * @returns false when the report is about another payout
   */
  private async advance(id: string, { providerPayoutId, status, failure }: SentPayout): Promise<boolean> {
    const fails = await this.dataSource.transaction(async manager => {
      const payout = await lock(manager, id)
      const now = await databaseTime(manager)
      if (payout.providerPayoutId !== null && payout.providerPayoutId !== providerPayoutId) return null
      if (payout.failure !== null || payout.status === 'returned') return false
      const change = { providerPayoutId, updatedAt: now, attempts: 0, sendAttempt: 1, unansweredSince: null }
      if (payout.status === 'scheduled') {
        const dueAt = this.askAt()
        await manager.update(PayoutEntity, { id }, { ...change, status: 'in_transit', dueAt })
        await this.publish(manager, sentEvent, payout, {}, now)
      }
      if (status === 'paid' && payout.status !== 'paid') {
        const dueAt = fromNow(this.daysMs(RETURNS_WITHIN_DAYS))
        await manager.update(PayoutEntity, { id }, { ...change, status, arrivedAt: now, dueAt })
        await postEntry(manager, null, payout.currency, payoutPaid(id, payout.amountMinor), now)
        await this.publish(manager, paidEvent, payout, {}, now)
      }
      if (status === 'failed')
        await manager.update(PayoutEntity, { id }, { ...change, failure, failedAt: now, dueAt: fromNow(0) })
      return status === 'failed'
    })
    if (fails) this.timers.notice(PAYOUT_TIMER, id, this.clock.now())
    return fails !== null
  }

  /** Returns the money of a payout that is not sent, at once. `failure` is what the seller reads. */
  private async returnUnsent({ id }: PayoutEntity, message: string, failure: string): Promise<void> {
    this.log.warn({ payoutId: id, message }, 'a payout is not sent')
    const change = { failure, lastError: message, attempts: 0, sendAttempt: 1 }
    const now = fromNow(0)
    await this.payouts.update({ id, status: 'scheduled' }, { ...change, failedAt: now, dueAt: now, updatedAt: now })
    await this.send(id)
  }

  /** Posts the return of a payout once. */
  private async finishReturn(id: string): Promise<void> {
    const payout = await this.dataSource.transaction(async manager => {
      const found = await lock(manager, id)
      const now = await databaseTime(manager)
      if (found.failure === null || found.status === 'returned') return null
      const { sellerId, amountMinor, currency, status, failure } = found
      const dueAt = found.transferId === null ? fromNow(this.daysMs(LATE_TRANSFER_WITHIN_DAYS)) : null
      await manager.update(
        PayoutEntity,
        { id },
        { status: 'returned', reversedAt: found.transferId && now, dueAt, updatedAt: now },
      )
      const entry = payoutReturned(id, sellerId, amountMinor, status === 'paid')
      await postEntry(manager, null, currency, entry, now)
      await this.publish(manager, returnedEvent, found, { failure }, now)
      return found
    })
    if (!payout) return
    returned.inc()
    this.log.warn({ payoutId: id, failure: payout.failure }, 'a payout is on the balance of its seller again')
  }

  private async noteFailure({ id, attempts, sendAttempt }: PayoutEntity, error: unknown): Promise<void> {
    this.log.error({ err: error, payoutId: id, attempts: attempts + 1 }, 'a step of a payout failed and is tried again')
    await this.payouts.update(
      { id, sendAttempt },
      {
        // The provider repeats its answer under the same key.
        sendAttempt: sendAttempt + (error instanceof AttemptFailed ? 1 : 0),
        lastError: error instanceof Error ? error.message : String(error),
        updatedAt: fromNow(0),
      },
    )
  }

  private publish(
    manager: EntityManager,
    definition: typeof sentEvent | typeof paidEvent | typeof returnedEvent,
    { id, sellerId, amountMinor, currency, bankLabel }: PayoutEntity,
    more: object,
    now: Date,
  ): Promise<void> {
    const amount = formatAmount(amountMinor, currency)
    const facts = { payoutId: id, sellerId, amount, currency, bankLabel, at: now.toISOString(), ...more }
    return appendToOutbox(manager, newEvent(definition as typeof sentEvent, id, facts, now))
  }

  private readonly askAt = () => fromNow(this.daysMs(ASK_AFTER_DAYS))
  private readonly daysMs = (days: number) => days * this.config.DAY_SECONDS * 1000

  private get payouts() {
    return this.dataSource.getRepository(PayoutEntity)
  }
}

const lock = (manager: EntityManager, id: string): Promise<PayoutEntity> =>
  manager.findOneOrFail(PayoutEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })
