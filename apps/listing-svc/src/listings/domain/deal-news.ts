import type { ListingStatus } from '@holdfast/kernel/listings'
import type { ListingState } from './listing.js'

/** What escrow tells of a deal on a listing. */
export interface DealNews {
  readonly transactionId: number
  readonly outcome: 'opened' | 'completed' | 'cancelled-unfunded' | 'cancelled-funded'
}

type Followed = Pick<ListingState, 'status' | 'withdrawn' | 'counterpartyId' | 'transactionId'>

/**
 * What the news make of a listing; null when they change nothing.
 *
 * A listing has one deal at a time, so deals follow each other and their ids grow. The events of one deal come in
 * order, those of two deals may not: news of a deal older than the newest known are history. And once a deal's end is
 * known nothing of it counts any more, least of all its opening, replayed late.
 */
export function afterDealNews(
  listing: Followed,
  news: DealNews,
): Pick<ListingState, 'status' | 'transactionId'> | null {
  const { transactionId } = news
  const known = listing.transactionId ?? 0
  if (transactionId < known) return null
  if (transactionId === known && (news.outcome === 'opened' || listing.status !== 'reserved')) return null
  return { status: statusAfter(news.outcome, listing), transactionId }
}

function statusAfter(outcome: DealNews['outcome'], { withdrawn, counterpartyId }: Followed): ListingStatus {
  switch (outcome) {
    case 'opened':
      return 'reserved'
    case 'completed':
      return 'sold'
    // Money had moved, so somebody looks before the item is offered again (design section 5).
    case 'cancelled-funded':
      return 'inactive'
    case 'cancelled-unfunded':
      // One made for a counterparty was for this deal; its seller, who may not have asked for it, can offer it again.
      return withdrawn || counterpartyId !== null ? 'inactive' : 'active'
  }
}
