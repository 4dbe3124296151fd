import { newId } from '@holdfast/kernel/ids'
import type { NotificationType } from '@holdfast/kernel/messages'
import { BatchStatement } from '@holdfast/service-kit/database/batch-statement'
import type { Candidate } from '../notifications/pass-on.js'
import type { Announcement } from './announcement.js'

/** Everything that messaging writes for one event of a deal. */
export interface EventEffects {
  readonly transactionId: number
  readonly buyerId: string
  readonly sellerId: string
  readonly dealTitle: string
  readonly at: Date
  readonly messageId: string
  readonly announcement: Announcement
}

/**
 * Prepares the rows for one event.
 *
 * @param now when the message is written; the message itself has the time of the event
 */
export function effectsOf(
  deal: { transactionId: number; buyerId: string; sellerId: string; title: string; at: string },
  announcement: Announcement,
  now: Date,
): EventEffects {
  const { transactionId, buyerId, sellerId, title } = deal
  const messageId = newId(now.getTime())
  return { transactionId, buyerId, sellerId, dealTitle: title, at: new Date(deal.at), messageId, announcement }
}

/**
 * A dispute whose id is not known yet has no page to which a mail could lead. So `PassOnJob` passes its notifications on some seconds later,
 * with the id if it is known by then.
 */
const pending = (waits: boolean) => ({ mail_pending: waits, push_pending: waits, sms_pending: waits })

/** A notification that `WRITE_EFFECTS` has written; `waits` when `PassOnJob` is to pass it on. */
export type WrittenNotification = Omit<Candidate, 'dealTitle'> & { readonly waits: boolean }

/** The latest dispute of the deal of a notification. The release before kept it with the deal alone. */
const LATEST_DISPUTE = `SELECT greatest(max(o.dispute_id),
    (SELECT d.dispute_id FROM deals d WHERE d.transaction_id = row.transaction_id))
  FROM opened_dispute o WHERE o.transaction_id = row.transaction_id`

/** The dispute that the system has filed because of the event of a notification, if its own event was handled before this one. */
const NEW_DISPUTE = `SELECT min(o.dispute_id) FROM opened_dispute o
  WHERE o.transaction_id = row.transaction_id AND o.opened_at >= row.created_at`

/**
 * Writes the effects of many events in one statement, and answers the notifications (`WrittenNotification`). A deal has ten events, and
 * each alone would need four round trips.
 */
export const WRITE_EFFECTS = new BatchStatement<EventEffects>(
  'write-deal-event-effects',
  part => `
  WITH deal_rows AS (
    ${part.insert({
      table: 'deals',
      columns: {
        transaction_id: 'bigint',
        buyer_id: 'uuid',
        seller_id: 'uuid',
        title: 'text',
        hidden: 'boolean',
        ended: 'boolean',
      },
      rows: ({ transactionId, buyerId, sellerId, dealTitle, announcement }: EventEffects) => [
        {
          transaction_id: transactionId,
          buyer_id: buyerId,
          seller_id: sellerId,
          title: dealTitle,
          hidden: announcement.hidden,
          ended: announcement.ended,
        },
      ],
      onConflict: '(transaction_id) DO NOTHING',
    })}
  ), ended_deals AS (
    -- By their ids: a join would be planned for a table as small as it was when the plan was made.
    UPDATE deals SET ended = true, hidden = hidden OR transaction_id = ANY(${part.array(
      'bigint',
      ({ announcement, transactionId }) => (announcement.hidden ? [transactionId] : []),
    )}) WHERE transaction_id = ANY(${part.array('bigint', ({ announcement, transactionId }) =>
      announcement.ended || announcement.hidden ? [transactionId] : [],
    )})
  ), message_rows AS (
    ${part.insert({
      table: 'messages',
      columns: { id: 'uuid', transaction_id: 'bigint', content: 'text', created_at: 'timestamptz' },
      rows: ({ messageId, transactionId, announcement, at }: EventEffects) => [
        { id: messageId, transaction_id: transactionId, content: announcement.chat, created_at: at },
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
      mail_pending: 'boolean',
      push_pending: 'boolean',
      sms_pending: 'boolean',
    },
    keys: { known_dispute: 'bigint', has_latest: 'boolean', has_new: 'boolean' },
    // A deal can go on after an account is closed, for example when a bank takes its payment back.
    where: 'NOT EXISTS (SELECT FROM closed_user WHERE closed_user.user_id = row.user_id)',
    joined: {
      dispute_id: `coalesce(row.known_dispute, CASE WHEN row.has_latest THEN (${LATEST_DISPUTE}) WHEN row.has_new THEN (${NEW_DISPUTE}) END)`,
    },
    rows: ({ announcement, transactionId, at }: EventEffects) =>
      announcement.notifications.map(({ userId, title, message }) => ({
        id: newId(at.getTime()),
        user_id: userId,
        type: (announcement.dispute === null ? 'transaction' : 'dispute') satisfies NotificationType,
        title,
        message,
        // A hidden deal has no page to which the notification could link.
        transaction_id: announcement.hidden ? null : transactionId,
        known_dispute: typeof announcement.dispute === 'number' ? announcement.dispute : null,
        has_latest: announcement.dispute === 'latest',
        has_new: announcement.dispute === 'new',
        created_at: at,
        ...pending(announcement.dispute === 'new'),
      })),
  })}
  RETURNING id, user_id AS "userId", type, title, message, transaction_id::float8 AS "transactionId", dispute_id::float8 AS "disputeId",
    mail_pending AS "waits", (SELECT settings FROM notification_settings s WHERE s.user_id = notifications.user_id) AS settings`,
)
