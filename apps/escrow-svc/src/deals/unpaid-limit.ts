import {
  FREE_CANCELS_A_DAY,
  LAPSED_PURCHASE_COUNTS_DAYS,
  MAX_UNPAID_DAYS_OF_A_LISTING,
  MAX_UNPAID_OFFERS,
  MAX_UNPAID_PURCHASES,
} from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { lockUntilCommit } from '@holdfast/service-kit/database/lock-until-commit'
import type { EntityManager } from 'typeorm'
import { daysMs } from './domain/clocks.js'
import type { Circumstances } from './domain/deal.js'

interface OpenedDeal {
  readonly buyerId: string
  readonly openedBy: string
  readonly terms: { readonly listingId: number }
}

/**
 * Refuses a deal that takes a listing off sale when its user has too many unpaid ones: purchases of their own, or offers to
 * chosen counterparties. A buyer who let purchases lapse or cancelled many of them may have fewer. It runs after the insert, so
 * it counts the new deal. The lock makes requests of one user wait for each other. Otherwise two at the same time could exceed
 * the limit.
 *
 * @throws DomainError `RATE_LIMITED`
 */
export async function refuseTooManyUnpaid(
  manager: EntityManager,
  { buyerId, openedBy, terms }: OpenedDeal,
  given: Pick<Circumstances, 'now' | 'daySeconds'>,
): Promise<void> {
  await lockUntilCommit(manager, `unpaid deals of ${openedBy}`)
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
  const daysAgo = (days: number) => new Date(given.now.getTime() - daysMs(days, given))
  const ended = await readEnded(manager, {
    buyerId,
    listingId: terms.listingId,
    since: daysAgo(LAPSED_PURCHASE_COUNTS_DAYS),
    yesterday: daysAgo(1),
  })
  if (ended.listingMs > daysMs(MAX_UNPAID_DAYS_OF_A_LISTING, given))
    throw refusal('You did not pay for this item when you had reserved it before. It is left to other buyers now.')
  const tooManyCancels = Math.max(0, ended.cancels - FREE_CANCELS_A_DAY)
  if (unpaid > MAX_UNPAID_PURCHASES - tooManyCancels)
    throw refusal('You have cancelled many purchases within a day. Please try again tomorrow.')
  if (unpaid <= 1 || unpaid <= MAX_UNPAID_PURCHASES - tooManyCancels - ended.lapses) return
  throw refusal(`You have purchases that are not paid yet, and did not pay for earlier ones in time. ${PAY_OR_CANCEL}`)
}

const PAY_OR_CANCEL = 'Pay or cancel one of them first.'

const refusal = (message: string) => new DomainError('RATE_LIMITED', undefined, message)

/** $1 the user, $2 whether purchases or offers count. */
const UNPAID = `SELECT count(*)::int AS n FROM transaction
  WHERE opened_by = $1 AND status = 'pending' AND (buyer_id = opened_by) = $2`

/** The unpaid purchases of a buyer that the buyer cancelled or let lapse. */
interface Ended {
  /** Those that lapsed since `since`. */
  readonly lapses: number
  /** Those that the buyer cancelled since `yesterday`. */
  readonly cancels: number
  /** How long they kept this listing off sale since `since`. */
  readonly listingMs: number
}

/** $1 the buyer, $2 the listing, $3 and $4 the times since when. */
const ENDED = `SELECT (count(*) FILTER (WHERE l.kind = 'endPaymentWindow'))::int AS lapses,
    (count(*) FILTER (WHERE l.kind = 'cancel' AND l.at > $4))::int AS cancels,
    coalesce(sum(1000 * extract(epoch FROM l.at - t.created_at)) FILTER (WHERE t.listing_id = $2), 0)::float8
      AS "listingMs"
  FROM transaction t JOIN timeline l ON l.transaction_id = t.id
  WHERE t.buyer_id = $1 AND t.opened_by = $1 AND t.status = 'cancelled' AND t.paid_at IS NULL AND l.at > $3
    AND (l.kind = 'endPaymentWindow' OR (l.kind = 'cancel' AND l.actor = 'user:' || $1))`

async function readEnded(
  manager: EntityManager,
  of: { readonly buyerId: string; readonly listingId: number; readonly since: Date; readonly yesterday: Date },
): Promise<Ended> {
  const [row]: Ended[] = await manager.query(ENDED, [of.buyerId, of.listingId, of.since, of.yesterday])
  return row!
}

async function count(manager: EntityManager, query: string, values: unknown[]): Promise<number> {
  const [row]: { n: number }[] = await manager.query(query, values)
  return row!.n
}
