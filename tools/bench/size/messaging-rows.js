// Chats and notifications. What people wrote is not readable: only messaging-svc can encrypt it, and no measured page opens a chat.
import { idAt, mix } from './numbers.js'

/** What the system writes into the chat of a deal. */
const SYSTEM = [
  [
    '0 minutes',
    'true',
    `'Transaction opened. Next: the buyer pays. The money is then held until the buyer accepts the item.'`,
  ],
  [
    '1 hour',
    'is_paid',
    `'The buyer has paid: the money is held for this transaction. Next: the seller ships within 7 days.'`,
  ],
  [
    '1 day',
    'is_shipped',
    `'The seller has shipped the item with UPS, tracking number HF' || id || '. The money stays held.'`,
  ],
  [
    '4 days',
    `is_completed OR fate IN ('inspection', 'disputed')`,
    `'The inspection period has begun. Next: the buyer accepts the item or files a dispute.'`,
  ],
  ['6 days', 'is_completed', `'The buyer has accepted the item. The seller has been paid.'`],
]
/** Who writes, and when. */
const PEOPLE = [
  ['10 minutes', 'buyer_id', `fate <> 'cancelled'`],
  ['20 minutes', 'seller_id', `fate <> 'cancelled'`],
  ['25 hours', 'seller_id', 'is_shipped'],
]
const SEALED = `decode(repeat(md5(i::text), 4), 'hex')`

export const CHAT_ROWS = [
  () => `INSERT INTO messaging.deals (transaction_id, buyer_id, seller_id, title, hidden, dispute_id, key_id, wrapped_key)
    SELECT id, buyer_id, seller_id, title, fate = 'cancelled', CASE WHEN fate IN ('disputed', 'withdrawn') THEN dispute_id END, 'home', ${SEALED} FROM bench.deal`,
  () => `INSERT INTO messaging.messages (id, transaction_id, sender_id, content, sealed, created_at)
    SELECT ${idAt('at + after')}, id, sender_id, content, sealed, at + after FROM bench.deal CROSS JOIN LATERAL (
      ${[
        ...SYSTEM.map(
          ([after, when, words]) => `SELECT interval '${after}', NULL::uuid, ${words}, NULL::bytea WHERE ${when}`,
        ),
        ...PEOPLE.map(([after, who, when]) => `SELECT interval '${after}', ${who}, '', ${SEALED} WHERE ${when}`),
      ].join(' UNION ALL ')}) message (after, sender_id, content, sealed)`,
  () => `INSERT INTO messaging.read_marks (user_id, transaction_id, sequence)
    SELECT party, transaction_id, last FROM (
      SELECT transaction_id, max(sequence) AS last FROM messaging.messages WHERE sender_id IS NOT NULL GROUP BY transaction_id
    ) m JOIN messaging.deals d USING (transaction_id) CROSS JOIN LATERAL unnest(ARRAY[d.buyer_id, d.seller_id]) party`,
]

const NOTIFICATIONS = [
  [
    '1 hour',
    'buyer_id',
    'is_paid',
    'Payment held',
    `'Your payment for “' || title || '” is held until you accept the item.'`,
  ],
  [
    '1 hour',
    'seller_id',
    'is_paid',
    'Payment held',
    `'The payment for “' || title || '” is held. Your turn: ship within 7 days.'`,
  ],
  [
    '1 day',
    'buyer_id',
    'is_shipped',
    'Item shipped',
    `'“' || title || '” is on its way with UPS, tracking number HF' || id || '.'`,
  ],
  [
    '4 days',
    'buyer_id',
    `is_completed OR fate IN ('inspection', 'disputed')`,
    'Inspection period started',
    `'Your turn: accept “' || title || '” or file a dispute.'`,
  ],
  [
    '4 days',
    'seller_id',
    `is_completed OR fate IN ('inspection', 'disputed')`,
    'Inspection period started',
    `'The buyer inspects “' || title || '” now.'`,
  ],
  [
    '6 days',
    'seller_id',
    'is_completed',
    'Transaction completed',
    `'“' || title || '” is sold, and the money is released to you.'`,
  ],
]

export const NOTIFICATION_ROWS = [
  () => `INSERT INTO messaging.notifications (id, user_id, type, title, message, transaction_id, created_at, read_at, without_words, mail_pending,
      push_pending, sms_pending)
    SELECT ${idAt('at + after')}, user_id, 'transaction', name, words, id, at + after,
      CASE WHEN at < now() - interval '60 days' OR ${mix(70, 10)} < 8 THEN at + after + interval '1 day' END, false, false, false, false
    FROM bench.deal CROSS JOIN LATERAL (
      ${NOTIFICATIONS.map(([after, who, when, name, words]) => `SELECT interval '${after}', ${who}, '${name}', ${words} WHERE ${when}`).join(' UNION ALL ')}
    ) notification (after, user_id, name, words)`,
]
