import { EVENTS, type EventEnvelope } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { formatAmount } from '@holdfast/kernel/money'
import type { Change, Deal } from './domain/deal.js'

/**
 * The events of a change, in order, for the outbox. They are made in the request that caused them, so that its id and
 * trace go along, although the write may leave in a flight that another request sent.
 */
export function eventsOf(t: Deal, change: Pick<Change, 'events'>, by: string, at: Date): EventEnvelope[] {
  return change.events.map(({ name, status, more }) =>
    newEvent(EVENTS[name], t.id, { ...facts(t, by, at), status, ...more }, at),
  )
}

/** What every event of a deal carries. */
export function facts(
  t: Pick<Deal, 'id' | 'listingId' | 'buyerId' | 'sellerId' | 'title' | 'priceMinor' | 'currency'>,
  actor: string,
  at: Date,
) {
  return {
    transactionId: t.id,
    listingId: t.listingId,
    buyerId: t.buyerId,
    sellerId: t.sellerId,
    title: t.title,
    amount: formatAmount(t.priceMinor, t.currency),
    currency: t.currency,
    at: at.toISOString(),
    actor,
  }
}
