import type { Payout } from '@holdfast/contracts/payouts'
import { type Currency, formatAmount } from '@holdfast/kernel/money'
import { MAX_DEALS_OF_PAYOUT_SHOWN } from '@holdfast/kernel/payouts'
import type { EntityManager } from 'typeorm'
import type { z } from 'zod'
import type { PayoutEntity } from './payout.entity.js'

interface DealRow {
  readonly payout_id: string
  readonly transaction_id: string
  readonly title: string
  readonly amount_minor: string
}

const DEALS = `SELECT d.payout_id, d.transaction_id, d.amount_minor, d.title FROM (
    SELECT p.*, t.title, row_number() OVER (PARTITION BY p.payout_id ORDER BY p.transaction_id DESC) AS n
      FROM payout_deal p JOIN transaction t ON t.id = p.transaction_id WHERE p.payout_id = ANY($1)) d
  WHERE d.n <= $2 ORDER BY d.payout_id, d.n`

const TOTALS = `SELECT coalesce(sum(amount_minor) FILTER (WHERE status IN ('scheduled', 'in_transit')), 0) AS in_transit,
    coalesce(sum(amount_minor) FILTER (WHERE status = 'paid'), 0) AS paid
  FROM payout WHERE seller_id = $1 AND currency = $2`

/** Payouts as their seller reads them, in the order given, each with its newest deals. */
export async function viewsOf(
  manager: EntityManager,
  payouts: readonly PayoutEntity[],
  dealsShown: number = MAX_DEALS_OF_PAYOUT_SHOWN,
): Promise<z.input<typeof Payout>[]> {
  const ids = payouts.map(({ id }) => id)
  const deals: DealRow[] = ids.length > 0 ? await manager.query(DEALS, [ids, dealsShown]) : []
  return payouts.map(payout => ({
    id: payout.id,
    amount: formatAmount(payout.amountMinor, payout.currency),
    currency: payout.currency,
    status: payout.status,
    bankLabel: payout.bankLabel,
    createdAt: payout.createdAt.toISOString(),
    arrivedAt: payout.arrivedAt?.toISOString() ?? null,
    failure: payout.failure,
    deals: deals
      .filter(deal => deal.payout_id === payout.id)
      .map(deal => ({
        transactionId: Number(deal.transaction_id),
        title: deal.title,
        amount: formatAmount(BigInt(deal.amount_minor), payout.currency),
      })),
  }))
}

/** What is on its way to a seller's bank, and what the bank has, in minor units. */
export async function paidTotals(manager: EntityManager, sellerId: string, currency: Currency) {
  const [row]: { in_transit: string; paid: string }[] = await manager.query(TOTALS, [sellerId, currency])
  return { inTransitMinor: BigInt(row!.in_transit), paidMinor: BigInt(row!.paid) }
}
