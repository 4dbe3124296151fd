import type { EventEnvelope } from '@holdfast/contracts/events'
import { messagePosted } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { OUTBOX_PARAMETERS, outboxInsert, outboxValues } from '@holdfast/events/outbox/outbox'
import { newId } from '@holdfast/kernel/ids'
import type { Told } from './told.js'

/** Everything that one event of a deal causes here. */
export interface Telling {
  readonly eventId: string
  readonly transactionId: number
  readonly buyerId: string
  readonly sellerId: string
  readonly dealTitle: string
  readonly at: Date
  readonly messageId: string
  readonly told: Told
  readonly posted: EventEnvelope
}

/** @param now when it is told; the message itself bears the time at which it happened */
export function tellingOf(
  eventId: string,
  deal: { transactionId: number; buyerId: string; sellerId: string; title: string; at: string },
  told: Told,
  now: Date,
): Telling {
  const { transactionId, buyerId, sellerId, title } = deal
  const messageId = newId(now.getTime())
  const payload = { messageId, transactionId, buyerId, sellerId, senderId: null }
  // The event bears the message's id, so that the statement can tell by it which of them were written.
  const posted = { ...newEvent(messagePosted, transactionId, payload, now), id: messageId }
  return { eventId, transactionId, buyerId, sellerId, dealTitle: title, at: new Date(deal.at), messageId, told, posted }
}

const FIRST_OUTBOX_PARAMETER = 17
const GONE_PARAMETER = FIRST_OUTBOX_PARAMETER + OUTBOX_PARAMETERS

/**
 * Tells of many events in one statement: what was handled before falls out at the inbox, and everything else hangs on
 * what is left. One statement for all, since a deal has ten events and each would cost five round trips.
 */
export const TELL = {
  name: 'tell-deal-events',
  text: `
  WITH telling AS (
    SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::uuid[], $5::text[], $6::boolean[], $7::uuid[], $8::text[], $9::timestamptz[])
      AS t(event_id, transaction_id, buyer_id, seller_id, deal_title, gone, message_id, chat, at)
  ), noted AS (
    INSERT INTO inbox (consumer, event_id) SELECT 'deal-events', event_id FROM telling ON CONFLICT DO NOTHING RETURNING event_id
  ), fresh AS (
    SELECT * FROM telling JOIN noted USING (event_id)
  ), known AS (
    INSERT INTO deals (transaction_id, buyer_id, seller_id, title, gone)
    SELECT transaction_id, buyer_id, seller_id, deal_title, gone FROM fresh ON CONFLICT (transaction_id) DO NOTHING
  ), gone AS (
    UPDATE deals SET gone = true WHERE transaction_id = ANY($${GONE_PARAMETER}::bigint[])
  ), said AS (
    INSERT INTO messages (id, transaction_id, content, created_at)
    SELECT message_id, transaction_id, chat, at FROM fresh RETURNING id
  ), notified AS (
    INSERT INTO notifications (id, user_id, type, title, message, transaction_id, created_at)
    SELECT n.id, n.user_id, 'transaction', n.title, n.message, n.transaction_id, n.at
    FROM unnest($10::uuid[], $11::uuid[], $12::uuid[], $13::text[], $14::text[], $15::bigint[], $16::timestamptz[])
      AS n(event_id, id, user_id, title, message, transaction_id, at) JOIN noted USING (event_id)
  )
  ${outboxInsert('outbox', FIRST_OUTBOX_PARAMETER, 'said ON said.id = event.event_id')}`,
}

/** The parameters of `TELL`, which tells of an event that comes twice among them twice. */
export function tellValues(tellings: readonly Telling[]): unknown[] {
  const notifications = tellings.flatMap(telling =>
    telling.told.notifications.map(party => ({ ...party, telling, id: newId(telling.at.getTime()) })),
  )
  return [
    tellings.map(t => t.eventId),
    tellings.map(t => t.transactionId),
    tellings.map(t => t.buyerId),
    tellings.map(t => t.sellerId),
    tellings.map(t => t.dealTitle),
    tellings.map(t => t.told.gone),
    tellings.map(t => t.messageId),
    tellings.map(t => t.told.chat),
    tellings.map(t => t.at),
    notifications.map(n => n.telling.eventId),
    notifications.map(n => n.id),
    notifications.map(n => n.userId),
    notifications.map(n => n.title),
    notifications.map(n => n.message),
    // A deal that is gone has no page to lead to.
    notifications.map(n => (n.telling.told.gone ? null : n.telling.transactionId)),
    notifications.map(n => n.telling.at),
    ...outboxValues(tellings.map(t => t.posted)),
    // By their ids, whether told before or not (a deal that is gone stays so): a join would be planned for a table as small
    // as it was that day.
    tellings.filter(t => t.told.gone).map(t => t.transactionId),
  ]
}
