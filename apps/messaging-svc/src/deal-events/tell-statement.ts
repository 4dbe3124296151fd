import type { EventEnvelope } from '@holdfast/contracts/events'
import { messagePosted } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import { outboxInsert } from '@holdfast/events/outbox/outbox'
import { newId } from '@holdfast/kernel/ids'
import { BatchStatement } from '@holdfast/service-kit/database/batch-statement'
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

/**
 * Writes what many events cause in one statement. Events that were handled before are dropped by the inbox insert, and
 * everything else depends on what is left. One statement for all of them, since a deal has ten events and each would cost
 * five round trips.
 */
export const TELL = new BatchStatement<Telling>(
  'tell-deal-events',
  part => `
  WITH telling AS (
    SELECT * FROM ${part.rows(
      't',
      {
        event_id: 'uuid',
        transaction_id: 'bigint',
        buyer_id: 'uuid',
        seller_id: 'uuid',
        deal_title: 'text',
        gone: 'boolean',
        message_id: 'uuid',
        chat: 'text',
        at: 'timestamptz',
      },
      telling => [
        {
          event_id: telling.eventId,
          transaction_id: telling.transactionId,
          buyer_id: telling.buyerId,
          seller_id: telling.sellerId,
          deal_title: telling.dealTitle,
          gone: telling.told.gone,
          message_id: telling.messageId,
          chat: telling.told.chat,
          at: telling.at,
        },
      ],
    )}
  ), inbox_rows AS (
    INSERT INTO inbox (consumer, event_id) SELECT 'deal-events', event_id FROM telling ON CONFLICT DO NOTHING RETURNING event_id
  ), new_events AS (
    SELECT * FROM telling JOIN inbox_rows USING (event_id)
  ), deal_rows AS (
    INSERT INTO deals (transaction_id, buyer_id, seller_id, title, gone)
    SELECT transaction_id, buyer_id, seller_id, deal_title, gone FROM new_events ON CONFLICT (transaction_id) DO NOTHING
  ), gone_deals AS (
    -- By their ids, whether handled before or not (a deal that is gone stays so): a join would be planned for a table as
    -- small as it was when the plan was made.
    UPDATE deals SET gone = true WHERE transaction_id = ANY(${part.array('bigint', ({ told, transactionId }) =>
      told.gone ? [transactionId] : [],
    )})
  ), message_rows AS (
    INSERT INTO messages (id, transaction_id, content, created_at)
    SELECT message_id, transaction_id, chat, at FROM new_events RETURNING id
  ), notification_rows AS (
    INSERT INTO notifications (id, user_id, type, title, message, transaction_id, created_at)
    SELECT n.id, n.user_id, 'transaction', n.title, n.message, n.transaction_id, n.at
    FROM ${part.rows(
      'n',
      {
        event_id: 'uuid',
        id: 'uuid',
        user_id: 'uuid',
        title: 'text',
        message: 'text',
        transaction_id: 'bigint',
        at: 'timestamptz',
      },
      ({ eventId, told, transactionId, at }) =>
        told.notifications.map(({ userId, title, message }) => ({
          event_id: eventId,
          id: newId(at.getTime()),
          user_id: userId,
          title,
          message,
          // A deal that is gone has no page to lead to.
          transaction_id: told.gone ? null : transactionId,
          at,
        })),
    )} JOIN inbox_rows USING (event_id)
  )
  ${part.insert(outboxInsert('outbox', ({ posted }: Telling) => [posted], 'message_rows ON message_rows.id = event.event_id'))}`,
)
