/** What brings our books up to date with the crypto processor after the database was restored to an earlier time. */
import { createHmac } from 'node:crypto'
import { SIGNATURE_HEADERS } from '@holdfast/contracts/webhooks'
import type pg from 'pg'
import { type Posted, postEvent, type Webhook } from '../post-event.js'
import type { ListedIntent } from './coinify-objects.js'

/** An event as the processor posts it, reduced to what the service reads: which object it is about. */
interface Announcement {
  readonly id: string
  readonly event: 'payment-intent.completed' | 'payment-intent.failed' | 'withdrawal.completed'
  readonly context: { readonly id: string }
}

/**
 * The events that say how payments have ended. A failed one that is not here has credited nothing, and is left out.
 *
 * @param client the database's owner
 */
export async function endsOf(client: pg.ClientBase, intents: readonly ListedIntent[]): Promise<Announcement[]> {
  const statuses = await statusesOf(client, intents)
  return intents.flatMap(({ id, state }) => {
    if (state !== 'completed' && (state !== 'failed' || !statuses.has(id))) return []
    return [{ id: `reconciled_${id}`, event: `payment-intent.${state}`, context: { id } }]
  })
}

/** The event that says that a withdrawal was sent. */
export const sendingOf = (id: string): Announcement => ({
  id: `reconciled_${id}`,
  event: 'withdrawal.completed',
  context: { id },
})

/**
 * Posts events to a webhook of ours, signed as the processor signs them. The processor lists no events. The service asks it about each object, so
 * an event of ours says no more than the processor does.
 */
export async function announce(events: readonly Announcement[], { url, secret }: Webhook): Promise<Posted> {
  const refused: string[] = []
  for (const event of events) {
    const payload = JSON.stringify(event)
    const signature = createHmac('sha256', secret).update(payload).digest('hex')
    const refusal = await postEvent(url, payload, { [SIGNATURE_HEADERS.coinify]: signature })
    if (refusal !== null) refused.push(`${event.event} ${event.context.id}: ${refusal}`)
  }
  return { accepted: events.length - refused.length, refused }
}

/** A line for each payment that the processor has credited and our books do not have. */
export async function unknownPayments(client: pg.ClientBase, intents: readonly ListedIntent[]): Promise<string[]> {
  const statuses = await statusesOf(client, intents)
  return intents
    .filter(({ id, state }) => state === 'completed' && statuses.get(id) !== 'succeeded')
    .map(({ id, orderId, requested }) => `${requested.amount} ${requested.currency}: ${id}, order ${orderId}`)
}

/** The withdrawals, out of some, that no refund of ours has. */
export async function unknownWithdrawals(client: pg.ClientBase, ids: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `SELECT given.id FROM unnest($1::text[]) AS given (id)
     WHERE NOT EXISTS (SELECT FROM escrow.refund WHERE provider_refund_id = given.id)`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

/**
 * A line for each unpaid refund that may have been sent after the restored time. The orders of its attempts begin with its id. The processor does not
 * list withdrawals.
 */
export async function refundsToLookFor(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT r.id || ' of transaction ' || r.transaction_id AS line
     FROM escrow.refund r JOIN escrow.payment p ON p.id = r.payment_id
     WHERE p.method = 'crypto' AND r.status IN ('due', 'failed') AND r.provider_refund_id IS NULL ORDER BY r.id`,
  )
  return rows.map(({ line }) => line)
}

/** The status of each of our payments by its intent. */
async function statusesOf(client: pg.ClientBase, intents: readonly ListedIntent[]): Promise<Map<string, string>> {
  const { rows } = await client.query<{ intentId: string; status: string }>(
    'SELECT intent_id AS "intentId", status FROM escrow.payment WHERE intent_id = ANY ($1)',
    [intents.map(({ id }) => id)],
  )
  return new Map(rows.map(({ intentId, status }) => [intentId, status]))
}
