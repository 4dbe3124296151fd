// Disputes: open ones, and ones that were withdrawn.
import { idAt } from './numbers.js'

const DISPUTED = `FROM bench.deal WHERE fate IN ('disputed', 'withdrawn')`
const IS_OPEN = `fate = 'disputed'`

export const DISPUTE_ROWS = [
  () => `INSERT INTO dispute.dispute (id, transaction_id, buyer_id, seller_id, reporter_id, reason, description, status, step, stage, title, price_minor,
      currency, created_at, opened_at, updated_at)
    OVERRIDING SYSTEM VALUE
    SELECT dispute_id, id, buyer_id, seller_id, buyer_id, 'item_not_as_described', 'The item does not look like its pictures.',
      CASE WHEN ${IS_OPEN} THEN 'open' ELSE 'closed' END, 'settled', CASE WHEN ${IS_OPEN} THEN 'open' ELSE 'closed' END, title, price, 'USD',
      at + interval '5 days', at + interval '5 days', at + interval '5 days 4 hours' ${DISPUTED}`,
  () => `SELECT setval(pg_get_serial_sequence('dispute.dispute', 'id'), (SELECT max(id) FROM dispute.dispute) + 1)`,
  () => `INSERT INTO dispute.history (id, dispute_id, step, role, user_id, at)
    SELECT ${idAt("at + interval '5 days'")}, dispute_id, 'filed', 'buyer', buyer_id, at + interval '5 days' ${DISPUTED}
    UNION ALL SELECT ${idAt("at + interval '5 days 4 hours'")}, dispute_id, 'closed', 'buyer', buyer_id, at + interval '5 days 4 hours'
      FROM bench.deal WHERE fate = 'withdrawn'`,
  () => `INSERT INTO dispute.dispute_clock (id, dispute_id, kind, started_at, due_at, ended_at, wake_at)
    SELECT ${idAt("at + interval '5 days'")}, dispute_id, kind, at + interval '5 days', now() + interval '3 days',
      CASE WHEN NOT ${IS_OPEN} THEN at + interval '5 days 4 hours' END, CASE WHEN ${IS_OPEN} THEN now() + interval '2 days' END
    FROM bench.deal CROSS JOIN unnest(ARRAY['response', 'first_look', 'ruling']) kind WHERE fate IN ('disputed', 'withdrawn')`,
]
