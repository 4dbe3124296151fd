import { MAX_UNPAID_OFFERS, MAX_UNPAID_PURCHASES } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import type { EntityManager } from 'typeorm'

interface OpenedDeal {
  readonly buyerId: string
  readonly openedBy: string
}

/**
 * Refuses a deal that takes a listing off sale when its user has too many unpaid ones: purchases of their own, or offers to
 * chosen counterparties. A buyer who let purchases lapse may have fewer. It runs after the insert, so it counts the new deal.
 * The lock makes requests of one user wait for each other. Otherwise two at the same time could exceed the limit.
 *
 * @param countsSince purchases that lapsed after this time count against the buyer
 * @throws DomainError `RATE_LIMITED`
 */
export async function refuseTooManyUnpaid(
  manager: EntityManager,
  { buyerId, openedBy }: OpenedDeal,
  countsSince: Date,
): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`unpaid deals of ${openedBy}`])
  const isPurchase = openedBy === buyerId
  const unpaid = await count(manager, UNPAID, [openedBy, isPurchase])
  if (!isPurchase) {
    // The buyer pays for an offer, not the seller who made it.
    if (unpaid > MAX_UNPAID_OFFERS)
      throw refusal(`You have ${MAX_UNPAID_OFFERS} offers that are not paid yet. Cancel one of them first.`)
    return
  }
  if (unpaid > MAX_UNPAID_PURCHASES)
    throw refusal(`You have ${MAX_UNPAID_PURCHASES} purchases that are not paid yet. ${PAY_OR_CANCEL}`)
  if (unpaid <= 1) return
  const allowed = MAX_UNPAID_PURCHASES - (await count(manager, LAPSED, [openedBy, countsSince]))
  if (unpaid <= allowed) return
  throw refusal(`You have purchases that are not paid yet, and did not pay for earlier ones in time. ${PAY_OR_CANCEL}`)
}

const PAY_OR_CANCEL = 'Pay or cancel one of them first.'

const refusal = (message: string) => new DomainError('RATE_LIMITED', undefined, message)

/** $1 the user, $2 whether purchases or offers count. */
const UNPAID = `SELECT count(*)::int AS n FROM transaction
  WHERE opened_by = $1 AND status = 'pending' AND (buyer_id = opened_by) = $2`

/** $1 the buyer, $2 the time since when. */
const LAPSED = `SELECT count(*)::int AS n FROM transaction t JOIN timeline l ON l.transaction_id = t.id
  WHERE t.buyer_id = $1 AND t.opened_by = $1 AND t.status = 'cancelled' AND t.paid_at IS NULL AND t.updated_at > $2
    AND l.kind = 'endPaymentWindow'`

async function count(manager: EntityManager, query: string, values: unknown[]): Promise<number> {
  const [row]: { n: number }[] = await manager.query(query, values)
  return row!.n
}
