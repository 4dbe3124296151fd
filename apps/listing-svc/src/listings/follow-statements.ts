import { type EventEnvelope, listingChanged } from '@holdfast/contracts/events'
import { onceEach } from '@holdfast/events/inbox/inbox'
import { newEvent } from '@holdfast/events/outbox/event'
import { appendToOutbox } from '@holdfast/events/outbox/outbox'
import { assert } from '@holdfast/kernel/assert'
import type { DataSource } from 'typeorm'
import { afterDealNews, type DealNews } from './domain/deal-news.js'
import type { ListingState } from './domain/listing.js'

/** What an event of a deal means for a listing. */
export interface ListingNews {
  readonly event: Pick<EventEnvelope, 'id'>
  readonly listingId: number
  readonly news: DealNews
  readonly at: Date
}

// In the order of the ids: two replicas that follow deals on the same listings must not wait for each other in a circle.
const LOCK = `SELECT id, seller_id, status, withdrawn, counterparty_id, transaction_id FROM listing WHERE id = ANY($1::bigint[])
  ORDER BY id FOR UPDATE`

const KEEP = `UPDATE listing l SET status = n.status, transaction_id = n.transaction_id, version = l.version + 1, updated_at = n.at
  FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::timestamptz[]) n(id, status, transaction_id, at) WHERE l.id = n.id`

interface Row {
  /** bigint, which the driver reads as text. */
  readonly id: string
  readonly seller_id: string
  readonly status: ListingState['status']
  readonly withdrawn: boolean
  readonly counterparty_id: string | null
  readonly transaction_id: string | null
}

/**
 * Follows many deals in one dbTx of a few statements, since each of them costs a commit otherwise: locks the listings,
 * decides one after another, keeps what became of them.
 */
export async function followAll(dataSource: DataSource, all: readonly ListingNews[]): Promise<void> {
  await onceEach(dataSource, 'listings', all, async (manager, fresh) => {
    const rows: Row[] = await manager.query(LOCK, [[...new Set(fresh.map(({ listingId }) => listingId))]])
    const listings = new Map(rows.map(row => [Number(row.id), stateOf(row)]))
    const changed = new Map<number, Date>()
    for (const { listingId, news, at } of fresh) {
      const listing = listings.get(listingId)
      assert(listing, `a deal is about listing ${listingId}, which does not exist`)
      const after = afterDealNews(listing, news)
      if (!after) continue
      listings.set(listingId, { ...listing, ...after })
      changed.set(listingId, at)
    }
    const kept = [...changed].map(([id, at]) => ({ id, at, ...listings.get(id)! }))
    if (kept.length === 0) return
    const columns = [kept.map(l => l.id), kept.map(l => l.status), kept.map(l => l.transactionId), kept.map(l => l.at)]
    await manager.query(KEEP, columns)
    await appendToOutbox(manager, ...kept.map(listing => changeOf(listing, listing.at)))
  })
}

/** The event that tells what became of a listing. */
export const changeOf = ({ id, sellerId, status }: Pick<ListingState, 'id' | 'sellerId' | 'status'>, at: Date) =>
  newEvent(listingChanged, id, { listingId: id, sellerId, status }, at)

const stateOf = ({ seller_id, status, withdrawn, counterparty_id, transaction_id }: Row) => ({
  sellerId: seller_id,
  status,
  withdrawn,
  counterpartyId: counterparty_id,
  transactionId: transaction_id === null ? null : Number(transaction_id),
})
