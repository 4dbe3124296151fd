import { EVENTS, type EventEnvelope, type Topic } from '@holdfast/contracts/events'
import type { LiveEvent } from '@holdfast/contracts/messages'

/** The topics whose events are sent to browsers, and the kind of each. */
const KIND_OF_TOPIC = {
  'escrow.transaction': 'transaction',
  'messaging.message': 'message',
  'dispute.dispute': 'dispute',
} as const satisfies Partial<Record<Topic, LiveEvent['kind']>>

export const LIVE_TOPICS = Object.keys(KIND_OF_TOPIC) as (keyof typeof KIND_OF_TOPIC)[]

/** An event as it is sent to browsers, and the users it is sent to. */
export interface LiveMessage {
  readonly id: string
  readonly recipients: readonly string[]
  readonly text: string
}

/** The only fields of an event that are read: the deal and its parties. */
const Concerned = EVENTS.messagePosted.payload.pick({ transactionId: true, buyerId: true, sellerId: true })

/**
 * The live message of an event; null for an event that is not sent to browsers. It contains only the deal's id and the
 * event's type. The browser then loads the new state with its own session.
 */
export function liveMessageOf({ id, topic, type, payload }: EventEnvelope): LiveMessage | null {
  const kind = isLive(topic) ? KIND_OF_TOPIC[topic] : null
  const concerned = Concerned.safeParse(payload)
  if (kind === null || !concerned.success) return null
  const { transactionId, buyerId, sellerId } = concerned.data
  return { id, recipients: [buyerId, sellerId], text: eventText(id, { kind, transactionId, type }) }
}

const isLive = (topic: Topic): topic is keyof typeof KIND_OF_TOPIC => Object.hasOwn(KIND_OF_TOPIC, topic)

/** An event in the format of a stream. An empty id makes the browser drop the id it had (WHATWG HTML, 9.2.6). */
export const eventText = (id: string, event: LiveEvent): string => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`

export const RESET: LiveEvent = { kind: 'reset', type: 'reset' }
