import { transactionCancelled, transactionCompleted, transactionOpened } from '@holdfast/contracts/events'
import type { HandledEvent } from '@holdfast/events/consumer/on-event'
import type { DealStep } from './domain/deal-step.js'

/** The events of a deal that change its listing. */
export const FOLLOWED = [transactionOpened, transactionCancelled, transactionCompleted] as const

export type FollowedEvent = HandledEvent<(typeof FOLLOWED)[number]>

/** The step of a deal that an event reports. */
export function stepOf(event: FollowedEvent): DealStep {
  return { transactionId: event.payload.transactionId, name: nameOf(event) }
}

function nameOf(event: FollowedEvent): DealStep['name'] {
  switch (event.type) {
    case transactionOpened.type:
      return 'opened'
    case transactionCancelled.type:
      return event.payload.wasFunded ? 'cancelled-funded' : 'cancelled-unfunded'
    case transactionCompleted.type:
      return 'completed'
  }
}
