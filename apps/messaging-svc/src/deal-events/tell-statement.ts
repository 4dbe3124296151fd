import type { EventEnvelope } from '@holdfast/contracts/events'
import { messagePosted } from '@holdfast/contracts/events'
import { type EventOrigin, newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import type { Told } from './told.js'

/** Everything that one event of a deal causes here. */
export interface Telling {
  readonly transactionId: number
  readonly buyerId: string
  readonly sellerId: string
  readonly dealTitle: string
  readonly at: Date
  readonly messageId: string
  readonly told: Told
  readonly posted: EventEnvelope
}

/**
 * @param now when the message is written; the message itself bears the time at which the event happened
 * @param origin the request that caused the event
 */
export function tellingOf(
  deal: { transactionId: number; buyerId: string; sellerId: string; title: string; at: string },
  told: Told,
  now: Date,
  origin: EventOrigin,
): Telling {
  const { transactionId, buyerId, sellerId, title } = deal
  const messageId = newId(now.getTime())
  const payload = { messageId, transactionId, buyerId, sellerId, senderId: null }
  const posted = newEvent(messagePosted, transactionId, payload, now, origin)
  return { transactionId, buyerId, sellerId, dealTitle: title, at: new Date(deal.at), messageId, told, posted }
}

/** What many events cause, in one statement: a deal has ten events, and each would cost four round trips. */
export const TELL = `
  WITH telling AS (
    SELECT * FROM unnest($1::bigint[], $2::uuid[], $3::uuid[], $4::text[], $5::boolean[], $6::uuid[], $7::text[], $8::timestamptz[])
      AS t(transaction_id, buyer_id, seller_id, deal_title, gone, message_id, chat, at)
  ), deal_rows AS (
    INSERT INTO deals (transaction_id, buyer_id, seller_id, title, gone)
    SELECT transaction_id, buyer_id, seller_id, deal_title, gone FROM telling ON CONFLICT (transaction_id) DO NOTHING
  ), gone_deals AS (
    UPDATE deals SET gone = true WHERE transaction_id = ANY($15::bigint[])
  ), message_rows AS (
    INSERT INTO messages (id, transaction_id, content, created_at)
    SELECT message_id, transaction_id, chat, at FROM telling
  )
  INSERT INTO notifications (id, user_id, type, title, message, transaction_id, created_at)
  SELECT n.id, n.user_id, 'transaction', n.title, n.message, n.transaction_id, n.at
  FROM unnest($9::uuid[], $10::uuid[], $11::text[], $12::text[], $13::bigint[], $14::timestamptz[])
    AS n(id, user_id, title, message, transaction_id, at)`

/** The parameters of `TELL`. */
export function tellValues(tellings: readonly Telling[]): unknown[] {
  const notifications = tellings.flatMap(telling =>
    telling.told.notifications.map(party => ({ ...party, telling, id: newId(telling.at.getTime()) })),
  )
  return [
    tellings.map(t => t.transactionId),
    tellings.map(t => t.buyerId),
    tellings.map(t => t.sellerId),
    tellings.map(t => t.dealTitle),
    tellings.map(t => t.told.gone),
    tellings.map(t => t.messageId),
    tellings.map(t => t.told.chat),
    tellings.map(t => t.at),
    notifications.map(n => n.id),
    notifications.map(n => n.userId),
    notifications.map(n => n.title),
    notifications.map(n => n.message),
    // A deal that is gone has no page to lead to.
    notifications.map(n => (n.telling.told.gone ? null : n.telling.transactionId)),
    notifications.map(n => n.telling.at),
    // By their ids: a join would be planned for a table as small as it was on the day the statement was planned.
    tellings.filter(t => t.told.gone).map(t => t.transactionId),
  ]
}
