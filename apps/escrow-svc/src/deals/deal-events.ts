import { type DealFacts, EVENTS, type EventDefinition, type EventEnvelope } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { formatAmount } from '@holdfast/kernel/money'
import type { Change, ChangedBy, Deal } from './domain/deal.js'

/**
 * The events of a change, in order, for the outbox. They carry the id and the trace of the request that caused them, so
 * they are made in that request: another request may send the batch that writes them.
 */
export function eventsOf(deal: Deal, change: Pick<Change, 'events'>, by: ChangedBy, at: Date): EventEnvelope[] {
  return change.events.map(event => {
    const own = 'facts' in event ? event.facts : {}
    return newEvent<EventDefinition>(
      EVENTS[event.name],
      deal.id,
      { ...factsOf(deal, by, at), status: event.status, ...own },
      at,
    )
  })
}

/** The facts that every event of a deal carries, except the status. */
export function factsOf(
  deal: Pick<Deal, 'id' | 'listingId' | 'buyerId' | 'sellerId' | 'title' | 'priceMinor' | 'currency'>,
  actor: ChangedBy,
  at: Date,
): Omit<DealFacts, 'status'> {
  return {
    transactionId: deal.id,
    listingId: deal.listingId,
    buyerId: deal.buyerId,
    sellerId: deal.sellerId,
    title: deal.title,
    amount: formatAmount(deal.priceMinor, deal.currency),
    currency: deal.currency,
    at: at.toISOString(),
    actor,
  }
}
