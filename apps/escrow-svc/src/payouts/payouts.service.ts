import type { AdminPayout } from '@holdfast/contracts/admin-escrow'
import type { Payout, PayoutsOverview } from '@holdfast/contracts/payouts'
import { newId } from '@holdfast/kernel/ids'
import { type Currency, DEAL_CURRENCY, formatAmount } from '@holdfast/kernel/money'
import { MAX_PAYOUTS_SHOWN, PAYOUT_BLOCK_TEXTS, PAYOUT_EVERY_DAYS } from '@holdfast/kernel/payouts'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { answerOnce, hashInput } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import type { Deadline } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { chargebacksOfSeller } from '../deals/deal-chargebacks.js'
import { payoutReserved } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { blocksOf, payoutRefusal } from './domain/blocked-by.js'
import { PayoutAccountEntity, PayoutEntity } from './payout.entity.js'
import { PAYOUT_TIMER } from './payout-sending.service.js'
import { paidTotals, viewsOf } from './payout-view.js'
import { type DealShare, type SellerBalance, sellerBalanceOf, sharesOf } from './seller-balance.js'

/** The route part of the idempotency key. */
const ROUTE = 'payouts'
const NO_ACCOUNT = { isVerified: false, emailConfirmed: false, status: 'none', waitsUntil: null } as const

/**
 * On its way, or failed after the bank had it, or returned. The amount of a returned one is on its seller's balance, and a payout that is made
 * after its return takes all that can be paid out. Then nothing is left to be done about the returned one.
 */
const NOT_ARRIVED = `payout.status IN ('scheduled', 'in_transit') OR (payout.status = 'paid' AND payout.failure IS NOT NULL)
  OR (payout.status = 'returned' AND NOT EXISTS (
    SELECT FROM payout later WHERE later.seller_id = payout.seller_id AND later.currency = payout.currency
      AND later.created_at > payout.updated_at))`

/**
 * Decides about payouts. A payout takes a seller's balance, less what a bank may still take from it. The seller's row is locked meanwhile,
 * so that of two payouts at the same time one finds nothing left. Its row, its deals and its journal entry are committed together; then it is sent.
 */
@Injectable()
export class PayoutsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly timers: Timers,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /** A seller's balance, and their newest payouts. */
  async overview(sellerId: string): Promise<z.input<typeof PayoutsOverview>> {
    const currency = DEAL_CURRENCY
    const { manager } = this.dataSource
    const account = (await manager.findOneBy(PayoutAccountEntity, { userId: sellerId })) ?? NO_ACCOUNT
    const balance = await sellerBalanceOf(manager, sellerId, currency)
    const totals = await paidTotals(manager, sellerId, currency)
    const newest = await manager.find(PayoutEntity, {
      where: { sellerId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: MAX_PAYOUTS_SHOWN,
    })
    const chargebacks = await chargebacksOfSeller(manager, sellerId, currency)
    const isWaiting = waits(account, await databaseTime(manager))
    const blocks = blocksOf({ ...account, ...balance, isWaiting })
    const nextPayoutAt = 'nextPayoutAt' in account ? account.nextPayoutAt : null
    return {
      currency,
      available: formatAmount(shownMinor(balance), currency),
      inTransit: formatAmount(totals.inTransitMinor, currency),
      paid: formatAmount(totals.paidMinor, currency),
      nextPayoutAt: nextPayoutAt?.toISOString() ?? null,
      waitsUntil: isWaiting ? account.waitsUntil!.toISOString() : null,
      blockedBy: blocks[0] ?? null,
      blocks,
      payouts: await viewsOf(manager, newest),
      chargebacks: chargebacks.map(({ transactionId, title, view: { status, fromSeller, since } }) => ({
        ...{ transactionId, title, since },
        status: status === 'open' ? ('open' as const) : ('lost' as const),
        amount: fromSeller,
      })),
    }
  }

  /**
   * Pays out all that can be paid out to a seller now. The same idempotency key gives the same payout.
   *
   * @throws DomainError `PAYOUT_NOT_POSSIBLE`, `IDEMPOTENCY_KEY_REUSED`
   */
  async request(sellerId: string, key: string): Promise<z.input<typeof Payout>> {
    const idempotencyKey = { userId: sellerId, route: ROUTE, key, inputHash: hashInput([]) }
    const answer = await answerOnce(this.dataSource, idempotencyKey, this.clock.now(), async manager => {
      const made = await this.payOutAll(manager, sellerId)
      if (Array.isArray(made)) throw payoutRefusal(made, PAYOUT_BLOCK_TEXTS)
      const [view] = await viewsOf(manager, [made])
      return view!
    })
    this.scheduleSending(answer)
    return answer
  }

  /** The sellers who are to be paid out within a time from now. The earliest comes first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.dataSource.getRepository(PayoutAccountEntity).find({
      select: { userId: true, nextPayoutAt: true },
      where: { nextPayoutAt: dueWithin(aheadMs) },
      order: { nextPayoutAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.userId, dueAt: row.nextPayoutAt as Date }))
  }

  /** Makes the daily payout of a seller, if it is due and something can be paid. */
  async payOutDaily(sellerId: string): Promise<void> {
    const made = await this.dataSource.transaction(async manager => {
      const { affected } = await manager.update(
        PayoutAccountEntity,
        { userId: sellerId, nextPayoutAt: dueWithin(0) },
        { nextPayoutAt: fromNow(PAYOUT_EVERY_DAYS * this.config.DAY_SECONDS * 1000) },
      )
      return affected === 1 ? this.payOutAll(manager, sellerId) : null
    })
    if (made && !Array.isArray(made)) this.scheduleSending(made)
  }

  /**
   * The payouts that have not arrived, for an operator. Those that failed or came back come first, because every seller's daily payout may be
   * on its way, and these are more than the list shows.
   */
  async listOpen(): Promise<AdminPayout[]> {
    const rows = await this.dataSource
      .getRepository(PayoutEntity)
      .createQueryBuilder('payout')
      .where(NOT_ARRIVED)
      .orderBy('payout.failedAt', 'DESC', 'NULLS LAST')
      .addOrderBy('payout.updatedAt', 'DESC')
      .take(MAX_PAGE_SIZE)
      .getMany()
    return rows.map(({ id, sellerId, amountMinor, currency, status, attempts, lastError, failure, updatedAt }) => ({
      ...{ id, sellerId, currency, status, attempts, lastError, failure },
      amount: formatAmount(amountMinor, currency),
      updatedAt: updatedAt.toISOString(),
    }))
  }

  /** Sets the timer of a payout that was committed in a dbTx of the caller. */
  scheduleSending({ id }: { readonly id: string }): void {
    this.timers.notice(PAYOUT_TIMER, id, this.clock.now())
  }

  /**
   * Pays out all that can be paid out to a seller, in the caller's dbTx. The caller calls `scheduleSending` afterwards.
   *
   * @returns the payout, or every reason for which there is none
   */
  async payOutAll(manager: EntityManager, sellerId: string) {
    const currency = DEAL_CURRENCY
    const { account, payableMinor, deals, blocks } = await this.outlook(manager, sellerId, currency)
    if (blocks.length > 0) return blocks
    const now = await databaseTime(manager)
    const id = newId()
    const { providerAccountId, bankLabel } = account!
    await manager.insert(PayoutEntity, {
      id,
      sellerId,
      amountMinor: payableMinor,
      currency,
      status: 'scheduled',
      providerAccountId: providerAccountId!,
      bankLabel,
      dueAt: fromNow(0),
      createdAt: now,
      updatedAt: now,
    })
    await this.nameDeals(manager, id, deals)
    await postEntry(manager, null, currency, payoutReserved(id, sellerId, payableMinor), now)
    return manager.findOneByOrFail(PayoutEntity, { id })
  }

  /**
   * What a payout of a seller would take now, and why there can be none; locks the seller's row. Payouts of a seller are made one
   * after the other by that lock, so `payableMinor` is what is paid out, unless a release or a chargeback changes it: they do not wait.
   */
  async outlook(manager: EntityManager, sellerId: string, currency: Currency) {
    const where = { userId: sellerId }
    const account = await manager.findOne(PayoutAccountEntity, { where, lock: { mode: 'pessimistic_write' } })
    // The balance is read after the lock, so that it contains the payouts that were committed before.
    const shares = await sharesOf(manager, sellerId, currency)
    const known = account ?? NO_ACCOUNT
    const isWaiting = waits(known, await databaseTime(manager))
    return { account, ...shares, blocks: blocksOf({ ...known, ...shares, isWaiting }) }
  }

  /** Records which deals a payout carries. A correction of the balance that belongs to no deal is in none of them. */
  private async nameDeals(manager: EntityManager, payoutId: string, deals: readonly DealShare[]): Promise<void> {
    await manager.query(
      `INSERT INTO payout_deal (payout_id, transaction_id, amount_minor)
       SELECT $1, d.id, d.amount FROM unnest($2::bigint[], $3::bigint[]) d(id, amount)`,
      [payoutId, deals.map(deal => deal.transactionId), deals.map(deal => deal.amountMinor.toString())],
    )
  }
}

/** Whether payouts wait because the bank account was changed. */
const waits = ({ waitsUntil }: Pick<PayoutAccountEntity, 'waitsUntil'>, now: Date): boolean =>
  waitsUntil !== null && waitsUntil > now

/** What the seller sees as available. A chargeback that is not decided takes it to zero at most: nothing is owed yet. */
function shownMinor({ balanceMinor, payableMinor }: SellerBalance): bigint {
  if (balanceMinor < 0n) return balanceMinor
  return payableMinor < 0n ? 0n : payableMinor
}
