import { randomUUID } from 'node:crypto'
import type { Context } from '../context.js'
import { enqueue } from '../webhooks/queue.js'
import type { CryptoEventRecord } from './records.js'

/** Records an event and puts its delivery. `subject` is what it is about, for people. */
export function tell(context: Context, event: string, about: object, subject: string): void {
  const record = context.state.cryptoEvents.put({
    id: randomUUID(),
    createdAt: context.now(),
    event,
    contextJson: JSON.stringify(about),
  })
  enqueue(context, 'coinify', record.id, event, subject)
}

/** An event as the processor posts it (coinify.readme.io/docs/webhooks). */
export function renderCryptoEvent({ id, createdAt, event, contextJson }: CryptoEventRecord) {
  return { id, time: new Date(createdAt).toISOString(), event, context: JSON.parse(contextJson) as object }
}
