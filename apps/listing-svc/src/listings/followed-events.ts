import { transactionCancelled, transactionCompleted, transactionOpened } from '@holdfast/contracts/events'
import type { HandledEvent } from '@holdfast/events/consumer/on-event'
import type { DealNews } from './domain/deal-news.js'

/** The events of a deal that change its listing. */
export const FOLLOWED = [transactionOpened, transactionCancelled, transactionCompleted] as const

export type FollowedEvent = HandledEvent<(typeof FOLLOWED)[number]>

/** What an event of a deal means for its listing. */
export function newsOf(event: FollowedEvent): DealNews {
  return { transactionId: event.payload.transactionId, outcome: outcomeOf(event) }
}

function outcomeOf(event: FollowedEvent): DealNews['outcome'] {
  switch (event.type) {
    case transactionOpened.type:
      return 'opened'
    case transactionCancelled.type:
      return event.payload.wasFunded ? 'cancelled-funded' : 'cancelled-unfunded'
    case transactionCompleted.type:
      return 'completed'
  }
}
