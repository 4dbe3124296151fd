import { assert } from '@holdfast/kernel/assert'
import type { EntityManager } from 'typeorm'
import { afterDealStep } from './domain/deal-step.js'
import type { ListingState } from './domain/listing.js'
import { type FollowedEvent, stepOf } from './followed-events.js'

// Rows are locked in the order of their ids, so that two replicas with the same listings cannot deadlock.
const LOCK = `SELECT id, status, withdrawn, counterparty_id, transaction_id, relisted_as FROM listing
  WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE`

const UPDATE = `UPDATE listing l SET status = n.status, transaction_id = n.transaction_id, sold_to = n.sold_to, version = l.version + 1,
    updated_at = $5
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[]) n(id, status, transaction_id, sold_to) WHERE l.id = n.id`

// A buyer may see the pictures that the deal shows, also when the listing changes or the deal ends.
const REMEMBER_BUYERS = `INSERT INTO listing_buyer (listing_id, buyer_id)
  SELECT DISTINCT * FROM unnest($1::bigint[], $2::uuid[]) ON CONFLICT DO NOTHING`

interface Row {
  /** bigint, which the driver reads as text. */
  readonly id: string
  readonly status: ListingState['status']
  readonly withdrawn: boolean
  readonly counterparty_id: string | null
  readonly transaction_id: string | null
  readonly relisted_as: string | null
}

type Followed = ReturnType<typeof stateOf> & {
  /** The buyer of the deal that has sold it. A sold listing is not changed any more, so it is not read. */
  readonly soldTo?: string
}

/**
 * Changes the listings of many deals in a few statements: locks them, decides for each event, and writes the changed ones. A
 * purchase may cross with the seller's listing the item again. Its deal then changes the newest listing of the item.
 *
 * @param manager the dbTx of the events
 * @throws when an event is about a listing that does not exist
 */
export async function followDeals(manager: EntityManager, events: readonly FollowedEvent[], at: Date): Promise<void> {
  const listings = await lockWithNewer(manager, [...new Set(events.map(({ payload }) => payload.listingId))])
  const changed = new Set<number>()
  for (const event of events) {
    const listingId = newestOf(listings, event.payload.listingId)
    const listing = stateAt(listings, listingId)
    const after = afterDealStep(listing, stepOf(event))
    if (!after) continue
    const soldTo = after.status === 'sold' ? { soldTo: event.payload.buyerId } : {}
    listings.set(listingId, { ...listing, ...after, ...soldTo })
    changed.add(listingId)
  }
  const facts = events.map(({ payload }) => payload)
  await manager.query(REMEMBER_BUYERS, [facts.map(deal => deal.listingId), facts.map(deal => deal.buyerId)])
  if (changed.size === 0) return
  const after = [...changed].map(id => listings.get(id)!)
  await manager.query(UPDATE, [
    [...changed],
    after.map(({ status }) => status),
    after.map(({ transactionId }) => transactionId),
    after.map(({ soldTo }) => soldTo ?? null),
    at,
  ])
}

/** Locks the listings, and those that were made from them when their items were listed again. */
async function lockWithNewer(manager: EntityManager, ids: readonly number[]): Promise<Map<number, Followed>> {
  const listings = new Map<number, Followed>()
  let wanted = ids
  while (wanted.length > 0) {
    const rows: Row[] = await manager.query(LOCK, [wanted])
    for (const row of rows) listings.set(Number(row.id), stateOf(row))
    wanted = rows
      .flatMap(row => (row.relisted_as === null ? [] : [Number(row.relisted_as)]))
      .filter(id => !listings.has(id))
  }
  return listings
}

function newestOf(listings: ReadonlyMap<number, Followed>, id: number): number {
  const { relistedAs } = stateAt(listings, id)
  return relistedAs === null ? id : newestOf(listings, relistedAs)
}

function stateAt(listings: ReadonlyMap<number, Followed>, id: number): Followed {
  const listing = listings.get(id)
  assert(listing, `a deal is about listing ${id}, which does not exist`)
  return listing
}

const stateOf = ({ status, withdrawn, counterparty_id, transaction_id, relisted_as }: Row) => ({
  status,
  withdrawn,
  counterpartyId: counterparty_id,
  transactionId: transaction_id === null ? null : Number(transaction_id),
  relistedAs: relisted_as === null ? null : Number(relisted_as),
})
