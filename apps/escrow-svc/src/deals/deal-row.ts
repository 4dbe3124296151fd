import type { Clock } from '@holdfast/kernel/clocks'
import type { DealStatus } from '@holdfast/kernel/deals'
import type { FeeScheduleVersion } from '@holdfast/kernel/fees'
import type { Currency } from '@holdfast/kernel/money'
import type { Plan } from '@holdfast/kernel/users'
import { clocksEndUntil } from '@holdfast/service-kit/outages/heartbeat'
import type { Deal, Frozen } from './domain/deal.js'

/** A clock may be ended if it was due by this time. */
export const CLOCKS_END_UNTIL = clocksEndUntil('escrow')

/** Whether the seller of a row of the table `transaction` has accepted its terms: signed them, shipped or handed over. */
export const acceptedBySeller = (deal: string) =>
  `EXISTS (SELECT FROM escrow.acceptance a WHERE a.transaction_id = ${deal}.id AND a.party = 'seller')`

/**
 * The columns of a deal that its rules read, and the time by which they judge it: the database's, read by the same statement.
 * `t` is the table's alias. A sub-select is evaluated once for the whole batch.
 */
export const DEAL_COLUMNS = `t.id, t.version, t.status, t.listing_id, t.title, t.buyer_id, t.seller_id, t.currency,
  t.price_minor, t.fee_schedule, t.buyer_plan, t.seller_plan, t.buyer_fee_minor, t.seller_fee_minor, t.hold_minor,
  t.released_minor, t.refunded_minor, t.revenue_minor, t.charged_back_minor, t.inspection_days, t.created_at, t.paid_at, t.settled_payment_id,
  t.tracking_number, t.carrier, t.clock, t.due_at, t.frozen, t.ended_disputes, ${acceptedBySeller('t')} AS seller_accepted,
  (SELECT clock_timestamp()) AS now,
  ${CLOCKS_END_UNTIL} AS clocks_end_until`

/**
 * These columns as the driver returns them. A read returns one row per call; for an unknown deal all columns but the last two
 * are null.
 */
export interface DealRow {
  id: bigint | null
  version: number
  status: DealStatus
  listing_id: bigint
  title: string
  buyer_id: string
  seller_id: string
  currency: Currency
  price_minor: bigint
  fee_schedule: FeeScheduleVersion
  buyer_plan: Plan
  seller_plan: Plan
  buyer_fee_minor: bigint
  seller_fee_minor: bigint
  hold_minor: bigint
  released_minor: bigint
  refunded_minor: bigint
  revenue_minor: bigint
  charged_back_minor: bigint
  inspection_days: number
  created_at: Date
  paid_at: Date | null
  settled_payment_id: string | null
  tracking_number: string | null
  carrier: string | null
  clock: Clock | null
  due_at: Date | null
  frozen: Frozen | null
  ended_disputes: readonly bigint[]
  seller_accepted: boolean
  now: Date
  clocks_end_until: Date
}

export function toDeal(row: DealRow): Deal {
  return {
    id: Number(row.id),
    version: row.version,
    status: row.status,
    listingId: Number(row.listing_id),
    title: row.title,
    buyerId: row.buyer_id,
    sellerId: row.seller_id,
    currency: row.currency,
    priceMinor: row.price_minor,
    feeSchedule: row.fee_schedule,
    buyerPlan: row.buyer_plan,
    sellerPlan: row.seller_plan,
    buyerFeeMinor: row.buyer_fee_minor,
    sellerFeeMinor: row.seller_fee_minor,
    holdMinor: row.hold_minor,
    releasedMinor: row.released_minor,
    refundedMinor: row.refunded_minor,
    revenueMinor: row.revenue_minor,
    chargedBackMinor: row.charged_back_minor,
    inspectionDays: row.inspection_days,
    openedAt: row.created_at,
    paidAt: row.paid_at,
    settledPaymentId: row.settled_payment_id,
    trackingNumber: row.tracking_number,
    carrier: row.carrier,
    clock: row.clock && row.due_at ? { kind: row.clock, dueAt: row.due_at } : null,
    frozen: row.frozen,
    endedDisputes: row.ended_disputes.map(Number),
    sellerAccepted: row.seller_accepted,
  }
}
