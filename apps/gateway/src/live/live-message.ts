import { dealsAnnounced, type EventEnvelope, payoutSent, type Topic } from '@holdfast/contracts/events'
import type { LiveEvent } from '@holdfast/contracts/messages'
import type { z } from 'zod'

/** The topics whose events are sent to browsers, and the kind of each. */
const KIND_OF_TOPIC = {
  'escrow.transaction': 'transaction',
  'messaging.message': 'message',
  'dispute.dispute': 'dispute',
  'escrow.payout': 'payout',
} as const satisfies Partial<Record<Topic, LiveEvent['kind']>>

export const LIVE_TOPICS = Object.keys(KIND_OF_TOPIC) as (keyof typeof KIND_OF_TOPIC)[]

/** An event about one deal or payout as it is sent to browsers, and the users it is sent to. */
export interface LiveMessage {
  /** It is the same in every process of the gateway, so that a browser can resume at another one. */
  readonly id: string
  readonly recipients: readonly string[]
  readonly text: string
}

/** The only fields of an event that are read: one deal or several, each with its parties. */
const ConcernedDeals = dealsAnnounced.payload
const ConcernedDeal = ConcernedDeals.shape.transactions.element
/** The only field of an event about a payout that is read. */
const ConcernedSeller = payoutSent.payload.pick({ sellerId: true })

/**
 * The live messages of an event: one for each deal that it concerns, one for a payout, none for an event that is not sent to
 * browsers. A message contains only the deal's id and the event's type. The browser then loads the new state with its own session.
 */
export function liveMessagesOf({ id, topic, type, payload }: EventEnvelope): LiveMessage[] {
  if (!isLive(topic)) return []
  const kind = KIND_OF_TOPIC[topic]
  if (kind === 'payout') {
    const { data } = ConcernedSeller.safeParse(payload)
    return data ? [{ id, recipients: [data.sellerId], text: eventText(id, { kind, type }) }] : []
  }
  return concernedDeals(type, payload).map(({ transactionId, buyerId, sellerId }, n) => {
    const messageId = n === 0 ? id : `${id}.${n}`
    return {
      id: messageId,
      recipients: [buyerId, sellerId],
      text: eventText(messageId, { kind, transactionId, type }),
    }
  })
}

function concernedDeals(type: string, payload: unknown): readonly z.output<typeof ConcernedDeal>[] {
  if (type === dealsAnnounced.type) return ConcernedDeals.safeParse(payload).data?.transactions ?? []
  const { data } = ConcernedDeal.safeParse(payload)
  return data ? [data] : []
}

const isLive = (topic: Topic): topic is keyof typeof KIND_OF_TOPIC => Object.hasOwn(KIND_OF_TOPIC, topic)

/** An event in the format of a stream (WHATWG HTML, 9.2.6). The browser resumes from its id. */
export const eventText = (id: string, event: LiveEvent): string => `id: ${id}\ndata: ${JSON.stringify(event)}\n\n`

export const RESET: LiveEvent = { kind: 'reset', type: 'reset' }
