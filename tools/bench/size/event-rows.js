// What events leave for a while: the log for 7 days, inboxes and mails for 30. Outboxes are empty, as when everything is published.
import { idAt } from './numbers.js'

const EVENTS_OF_A_DEAL = 8
const LOG_DAYS = 7
const KEPT_DAYS = 30

const recent = days => `bench.deal WHERE at > now() - interval '${days} days'`
const PAYLOAD = `json_build_object('at', at, 'actor', 'user:' || buyer_id, 'title', title, 'amount', '100.00', 'status', 'paid', 'buyerId', buyer_id,
  'currency', 'USD', 'sellerId', seller_id, 'listingId', id, 'transactionId', id)`

const log = (topic, type) => () =>
  `INSERT INTO events.log (topic, partition, position, id, key, type, payload, occurred_at, published_at)
  SELECT '${topic}', i % 8, row_number() OVER (PARTITION BY i % 8 ORDER BY i, n), ${idAt('at')}, id::text, '${type}', ${PAYLOAD}, at, at
  FROM (SELECT * FROM ${recent(LOG_DAYS)}) deal CROSS JOIN generate_series(1, ${EVENTS_OF_A_DEAL}) n`
const inbox = (schema, consumer) => () =>
  `INSERT INTO ${schema}.inbox (consumer, event_id, at)
  SELECT '${consumer}', ${idAt('at')}, at FROM (SELECT * FROM ${recent(KEPT_DAYS)}) deal CROSS JOIN generate_series(1, ${EVENTS_OF_A_DEAL})`

export const EVENT_ROWS = [
  log('escrow.transaction', 'escrow.transaction.paid.v1'),
  log('messaging.message', 'messaging.message.announced.v1'),
  inbox('messaging', 'deal-events'),
  inbox('listing', 'listings'),
  inbox('identity', 'notification-mails'),
  () => `INSERT INTO identity.mail (id, kind, recipient, data, created_at, due_at, attempts, ended_at, outcome)
    SELECT ${idAt('at')}, 'notification', 'p' || i % 1000 || '@bench.test', jsonb_build_object('userId', buyer_id), at, NULL, 1, at, 'sent'
    FROM (SELECT * FROM ${recent(KEPT_DAYS)}) deal CROSS JOIN generate_series(1, ${EVENTS_OF_A_DEAL})`,
]

/** Every group has read the log. */
export const PUBLISHED = [
  `UPDATE events.head h SET next = l.last + 1 FROM (SELECT topic, partition, max(position) AS last FROM events.log GROUP BY topic, partition) l
    WHERE l.topic = h.topic AND l.partition = h.partition`,
  'UPDATE events.cursor c SET position = h.next - 1 FROM events.head h WHERE h.topic = c.topic AND h.partition = c.partition',
]
