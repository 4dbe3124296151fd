import { randomInt } from 'node:crypto'
import type { Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import type { DeliveryRecord, Receiver } from './records.js'
import { targetOf } from './target.js'

/** Shuffled events wait up to this long, each on its own. */
const SHUFFLE_WITHIN_MS = 2_000

/** Puts a delivery of an event to its receiver, or several as the settings say. Without a receiver none is put. */
export function enqueue(context: Context, receiver: Receiver, eventId: string, type: string, subject: string): void {
  if (!targetOf(context.config, receiver).url) return
  const { webhookDuplicates, webhooksShuffled, webhookDelayMs } = context.state.settings
  const now = context.now()
  for (let copy = 0; copy <= webhookDuplicates; copy++) {
    const shuffle = webhooksShuffled ? randomInt(SHUFFLE_WITHIN_MS) : 0
    context.state.deliveries.put({
      id: objectId('whd'),
      createdAt: now,
      receiver,
      eventId,
      type,
      subject,
      status: 'pending',
      attempts: 0,
      recent: [],
      dueAt: now + webhookDelayMs + shuffle,
    })
  }
}

/** Puts one more delivery of an event, due at once, whatever the result of the earlier ones. */
export function enqueueAgain(context: Context, delivery: DeliveryRecord): DeliveryRecord {
  const now = context.now()
  const status = 'pending' as const
  return context.state.deliveries.put({
    ...delivery,
    id: objectId('whd'),
    createdAt: now,
    status,
    attempts: 0,
    recent: [],
    dueAt: now,
  })
}
