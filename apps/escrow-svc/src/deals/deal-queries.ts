import type { SettlementTerms, TransactionRecord } from '@holdfast/contracts/transactions'
import type { DealStatus, PartyRole, TimelineKind } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_COUNTERPARTIES } from '@holdfast/kernel/messages'
import { DEAL_CURRENCY, formatAmount } from '@holdfast/kernel/money'
import type { RefundProgress } from '@holdfast/kernel/payments'
import { prefixQuery } from '@holdfast/kernel/search-text'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In, type SelectQueryBuilder } from 'typeorm'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { ClockEntryEntity, DealEntity, TimelineEntity } from './deal.entity.js'
import { chargebacksOf, isAboutChargeback } from './deal-chargebacks.js'
import { toRecord, toTimeline } from './deal-view.js'
import { stateOf } from './domain/deal.js'

/** Which of a user's deals a page shows. */
export interface DealsPage {
  readonly limit: number
  readonly before?: number | undefined
  readonly role?: PartyRole | undefined
  readonly status?: readonly DealStatus[] | undefined
  readonly listingId?: number | undefined
  /** What the user searches for: the item, the deal's id, or the tracking number. */
  readonly q?: string | undefined
  /** The people whom that text names. A deal with one of them is found, too. */
  readonly others?: readonly string[] | undefined
}

type Record = z.input<typeof TransactionRecord>

/**
 * Reads of deals. Methods with `viewerId` or `userId` show only that user's deals, and none that was cancelled before a payment. The
 * other methods are for services and do not check who asks.
 */
@Injectable()
export class DealQueries {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /** One deal as its viewer sees it. @throws DomainError `TRANSACTION_NOT_FOUND` */
  async get(id: number, viewerId: string): Promise<Record> {
    const [record] = await this.show([await this.getVisible(id, viewerId)], viewerId)
    return record as Record
  }

  /** The deals of a user, newest first. `before` (an id), `role`, `status`, `listingId` and `q` each narrow the list. */
  async list(viewerId: string, page: DealsPage): Promise<Record[]> {
    return this.show(await this.pageOf(viewerId, page).getMany(), viewerId)
  }

  /** The query of a page, without the rows of other tables. */
  pageOf(
    viewerId: string,
    { limit, before, role, status, listingId, q, others }: DealsPage,
  ): SelectQueryBuilder<DealEntity> {
    const asBuyer = role !== 'seller' && 'deal.buyer_id = :viewerId'
    const asSeller = role !== 'buyer' && 'deal.seller_id = :viewerId'
    const query = this.deals
      .createQueryBuilder('deal')
      .where(`(${[asBuyer, asSeller].filter(Boolean).join(' OR ')})`, { viewerId })
      .andWhere(VISIBLE)
    if (before) query.andWhere('deal.id < :before', { before })
    if (status) query.andWhere('deal.status IN (:...status)', { status })
    if (listingId) query.andWhere('deal.listing_id = :listingId', { listingId })
    if (q) query.andWhere(...searching(q, others))
    return query.orderBy('deal.id', 'DESC').limit(limit)
  }

  /** The other parties of a user's deals, those of the latest deals first. */
  async partners(userId: string): Promise<string[]> {
    const rows: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM (
         SELECT deal.seller_id AS id, deal.id AS deal FROM transaction deal WHERE deal.buyer_id = $1 AND ${VISIBLE}
         UNION ALL SELECT deal.buyer_id, deal.id FROM transaction deal WHERE deal.seller_id = $1 AND ${VISIBLE}
       ) other GROUP BY id ORDER BY max(deal) DESC LIMIT ${MAX_COUNTERPARTIES}`,
      [userId],
    )
    return rows.map(({ id }) => id)
  }

  /** What happened to a deal, oldest first. */
  async timeline(id: number, viewerId: string) {
    return this.timelineOf(await this.getVisible(id, viewerId))
  }

  /** A deal and what happened to it, for a reader who need not be its party. @throws DomainError `TRANSACTION_NOT_FOUND` */
  async history(id: number) {
    const deal = await this.find(id)
    return { deal, timeline: await this.timelineOf(deal) }
  }

  /** Whether something has happened to a deal. */
  hasStep(id: number, kind: TimelineKind): Promise<boolean> {
    return this.dataSource.getRepository(TimelineEntity).existsBy({ transactionId: id, kind })
  }

  private async timelineOf(deal: DealEntity) {
    const { id } = deal
    const [facts, clocks] = await Promise.all([
      this.dataSource.getRepository(TimelineEntity).find({ where: { transactionId: id }, order: IN_ORDER }),
      this.dataSource.getRepository(ClockEntryEntity).find({ where: { transactionId: id }, order: IN_ORDER }),
    ])
    return toTimeline(deal, facts, clocks)
  }

  /** The dashboard's figures, from the balances: earned is what was released, spent is what was charged less refunds. */
  async summary(viewerId: string) {
    const [row]: { sales: string; earned: string; purchases: string; spent: string }[] = await this.dataSource.query(
      `SELECT
         count(*) FILTER (WHERE seller_id = $1 AND status NOT IN ('released', 'completed', 'cancelled')) AS sales,
         coalesce(sum(released_minor) FILTER (WHERE seller_id = $1), 0) AS earned,
         count(*) FILTER (WHERE buyer_id = $1 AND status NOT IN ('released', 'completed', 'cancelled')) AS purchases,
         coalesce(sum(hold_minor + released_minor + revenue_minor) FILTER (WHERE buyer_id = $1), 0) AS spent
       FROM transaction WHERE buyer_id = $1 OR seller_id = $1`,
      [viewerId],
    )
    return {
      activeSales: Number(row?.sales ?? 0),
      totalEarnings: formatAmount(BigInt(row?.earned ?? 0), DEAL_CURRENCY),
      activePurchases: Number(row?.purchases ?? 0),
      totalSpent: formatAmount(BigInt(row?.spent ?? 0), DEAL_CURRENCY),
      currency: DEAL_CURRENCY,
    }
  }

  /** What decides how a deal's hold would be split at the end of a dispute. @throws DomainError `TRANSACTION_NOT_FOUND` */
  async settlementTerms(id: number): Promise<z.input<typeof SettlementTerms> & { version: number }> {
    const deal = await this.find(id)
    const { currency, feeSchedule, sellerPlan, status } = deal
    const [parcel]: { moved: boolean }[] = await this.dataSource.query(
      `SELECT EXISTS (SELECT FROM parcel WHERE transaction_id = $1 AND status IS NOT NULL AND status <> 'pre_transit') AS moved`,
      [id],
    )
    return {
      version: deal.version,
      currency,
      held: formatAmount(deal.holdMinor, currency),
      refunded: formatAmount(deal.refundedMinor, currency),
      chargedBack: formatAmount(deal.chargedBackMinor, currency),
      buyerFee: formatAmount(deal.buyerFeeMinor, currency),
      feeSchedule,
      sellerPlan,
      status,
      waitsForBank: stateOf(deal) === 'charged_back',
      partIsGone: stateOf(deal) === 'short',
      parcelMoved: parcel!.moved,
      needsSecondAdmin: deal.holdMinor > this.config.FOUR_EYES_ABOVE_MINOR,
    }
  }

  /** What each of these deals holds now, without those that do not exist. */
  async listHeld(ids: readonly number[]): Promise<{ id: number; held: string }[]> {
    const deals = await this.deals.find({
      select: { id: true, holdMinor: true, currency: true },
      where: { id: In([...ids]) },
    })
    return deals.map(({ id, holdMinor, currency }) => ({ id, held: formatAmount(holdMinor, currency) }))
  }

  /** @throws DomainError `TRANSACTION_NOT_FOUND`, also for a stranger, who must not learn that the deal exists */
  async getVisible(id: number, viewerId: string): Promise<DealEntity> {
    const deal = await this.deals.findOneBy({ id })
    if (!deal || (deal.buyerId !== viewerId && deal.sellerId !== viewerId) || isHidden(deal))
      throw new DomainError('TRANSACTION_NOT_FOUND')
    return deal
  }

  private async find(id: number): Promise<DealEntity> {
    const deal = await this.deals.findOneBy({ id })
    if (!deal) throw new DomainError('TRANSACTION_NOT_FOUND')
    return deal
  }

  private async show(deals: DealEntity[], viewerId: string): Promise<Record[]> {
    const ids = deals.map(deal => deal.id)
    if (ids.length === 0) return []
    const [facts, processing, refunds] = await Promise.all([
      this.dataSource.getRepository(TimelineEntity).find({ where: { transactionId: In(ids) }, order: IN_ORDER }),
      this.paymentsProcessing(ids),
      this.refundsOf(ids),
    ])
    // Few deals have a chargeback, and their history says so. The others cost no query.
    const chargebacks = await chargebacksOf(this.dataSource, [
      ...new Set(facts.filter(({ kind }) => isAboutChargeback(kind)).map(fact => fact.transactionId)),
    ])
    return deals.map(deal =>
      toRecord(
        deal,
        {
          timeline: facts.filter(fact => fact.transactionId === deal.id),
          paymentProcessing: processing.has(deal.id),
          refund: refunds.get(deal.id) ?? null,
          chargeback: chargebacks.get(deal.id) ?? null,
        },
        viewerId,
      ),
    )
  }

  /** The deals whose payment the provider is still processing. Stray payments are left out: their money goes back. */
  private async paymentsProcessing(ids: number[]): Promise<Set<number>> {
    const rows: { transaction_id: string }[] = await this.dataSource.query(
      `SELECT transaction_id FROM payment WHERE transaction_id = ANY($1::bigint[]) AND status = 'processing' AND NOT stray`,
      [ids],
    )
    return new Set(rows.map(row => Number(row.transaction_id)))
  }

  /** The progress of the refunds of deals. Refunds of stray payments are left out, because the deal never had that money. */
  private async refundsOf(ids: number[]): Promise<Map<number, RefundProgress>> {
    const rows: { transaction_id: string; failed: boolean; unfinished: boolean }[] = await this.dataSource.query(
      `SELECT r.transaction_id, bool_or(r.status = 'failed') AS failed, bool_or(r.status IN ('due', 'sent')) AS unfinished
       FROM refund r JOIN payment p ON p.id = r.payment_id
       WHERE r.transaction_id = ANY($1::bigint[]) AND NOT p.stray AND r.status <> 'void' GROUP BY r.transaction_id`,
      [ids],
    )
    return new Map(
      rows.map(row => [Number(row.transaction_id), row.failed ? 'failed' : row.unfinished ? 'on_its_way' : 'returned']),
    )
  }

  private get deals() {
    return this.dataSource.getRepository(DealEntity)
  }
}

/** The order in which the steps of a deal were written. The steps of one version were written by one process. */
const IN_ORDER = { version: 'ASC', id: 'ASC' } as const

/** A deal that was cancelled before it held money is shown to no user. A deal that ever held money stays visible. */
const VISIBLE = `(deal.status <> 'cancelled' OR deal.paid_at IS NOT NULL)`
const isHidden = (deal: DealEntity) => deal.status === 'cancelled' && deal.paidAt === null

/** The condition of a search. Each of its parts has an index, so that PostgreSQL need not read all deals of a user. */
function searching(q: string, others: readonly string[] = []): [condition: string, values: object] {
  const words = prefixQuery(q)
  const number = /^#?([1-9]\d{0,14})$/.exec(q)?.[1]
  const parts = [
    ...(words === null
      ? []
      : [`to_tsvector('simple', coalesce(deal.search_text, deal.title)) @@ to_tsquery('simple', :words)`]),
    ...(number === undefined ? [] : ['deal.id = :number']),
    'deal.tracking_number = :q',
    ...(others.length === 0 ? [] : ['deal.buyer_id = ANY(:others)', 'deal.seller_id = ANY(:others)']),
  ]
  return [`(${parts.join(' OR ')})`, { words, number, q, others }]
}
