import { EVENTS, type EventEnvelope, type Topic } from '@holdfast/contracts/events'
import type { LiveEvent } from '@holdfast/contracts/messages'

/** What live events are made from, and what a browser knows them as. */
const KIND_OF_TOPIC = {
  'escrow.transaction': 'transaction',
  'messaging.message': 'message',
  'dispute.dispute': 'dispute',
} as const satisfies Partial<Record<Topic, LiveEvent['kind']>>

export const LIVE_TOPICS = Object.keys(KIND_OF_TOPIC) as (keyof typeof KIND_OF_TOPIC)[]

/** An event as browsers hear it, and the users who may. */
export interface LiveMessage {
  readonly id: string
  readonly recipients: readonly string[]
  readonly text: string
}

/** All that is read of an event: whom it concerns, and which deal. */
const Concerned = EVENTS.messagePosted.payload.pick({ transactionId: true, buyerId: true, sellerId: true })

/**
 * The live message of an event; null for one that is no party's business. It says only that something changed, and where:
 * what it is now, the browser asks with its own session.
 */
export function liveMessageOf({ id, topic, type, payload }: EventEnvelope): LiveMessage | null {
  const kind = isLive(topic) ? KIND_OF_TOPIC[topic] : null
  const concerned = Concerned.safeParse(payload)
  if (kind === null || !concerned.success) return null
  const { transactionId, buyerId, sellerId } = concerned.data
  return { id, recipients: [buyerId, sellerId], text: eventText(id, { kind, transactionId, type }) }
}

const isLive = (topic: Topic): topic is keyof typeof KIND_OF_TOPIC => Object.hasOwn(KIND_OF_TOPIC, topic)

/** One event on the wire. An empty id makes the browser forget the one it had (WHATWG HTML, 9.2.6). */
export const eventText = (id: string, event: LiveEvent): string => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`

export const RESET: LiveEvent = { kind: 'reset', type: 'reset' }
