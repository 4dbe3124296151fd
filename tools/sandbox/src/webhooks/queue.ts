import { randomInt } from 'node:crypto'
import type { Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import type { DeliveryRecord, Receiver } from './records.js'

/** Shuffled events wait up to this long, each on its own. */
const SHUFFLE_WITHIN_MS = 2_000

/** Puts an event on its way to its receiver; without a receiver nothing is put. Faults that are set apply here. */
export function enqueue(context: Context, receiver: Receiver, eventId: string, type: string, subject: string): void {
  const target = receiver === 'stripe' ? context.config.stripeWebhook : context.config.carrierWebhook
  if (!target.url) return
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

/** Puts an event on its way once more, at once, whatever became of it. */
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
