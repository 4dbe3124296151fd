import type { EventEnvelope } from '@holdfast/contracts/events'
import { messagePosted } from '@holdfast/contracts/events'
import { type EventOrigin, newEvent } from '@holdfast/events/outbox/event'
import { newId } from '@holdfast/kernel/ids'
import { BatchStatement } from '@holdfast/service-kit/database/batch-statement'
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

/** Writes what many events cause in one statement: a deal has ten events, and each would cost four round trips. */
export const TELL = new BatchStatement<Telling>(
  'tell-deal-events',
  part => `
  WITH deal_rows AS (
    ${part.insert({
      table: 'deals',
      columns: { transaction_id: 'bigint', buyer_id: 'uuid', seller_id: 'uuid', title: 'text', gone: 'boolean' },
      rows: ({ transactionId, buyerId, sellerId, dealTitle, told }: Telling) => [
        {
          transaction_id: transactionId,
          buyer_id: buyerId,
          seller_id: sellerId,
          title: dealTitle,
          gone: told.gone,
        },
      ],
      onConflict: '(transaction_id) DO NOTHING',
    })}
  ), gone_deals AS (
    -- By their ids: a join would be planned for a table as small as it was when the plan was made.
    UPDATE deals SET gone = true WHERE transaction_id = ANY(${part.array('bigint', ({ told, transactionId }) =>
      told.gone ? [transactionId] : [],
    )})
  ), message_rows AS (
    ${part.insert({
      table: 'messages',
      columns: { id: 'uuid', transaction_id: 'bigint', content: 'text', created_at: 'timestamptz' },
      rows: ({ messageId, transactionId, told, at }: Telling) => [
        { id: messageId, transaction_id: transactionId, content: told.chat, created_at: at },
      ],
    })}
  )
  ${part.insert({
    table: 'notifications',
    columns: {
      id: 'uuid',
      user_id: 'uuid',
      type: 'text',
      title: 'text',
      message: 'text',
      transaction_id: 'bigint',
      created_at: 'timestamptz',
    },
    rows: ({ told, transactionId, at }: Telling) =>
      told.notifications.map(({ userId, title, message }) => ({
        id: newId(at.getTime()),
        user_id: userId,
        type: 'transaction',
        title,
        message,
        // A deal that is gone has no page to lead to.
        transaction_id: told.gone ? null : transactionId,
        created_at: at,
      })),
  })}`,
)
