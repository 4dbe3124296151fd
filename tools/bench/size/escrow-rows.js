// What escrow-svc has of deals. `bench.deal` has one row for each deal, from which the rows of every table are made.
import { idAt, mix, skewed, title, traderId, tradersFor } from './numbers.js'

const FIRST_DEAL = 1_000
const YEARS_DAYS = 1_095
/** Younger deals have not ended yet, in part. */
const LIVE_DAYS = 12

const share = (price, basisPoints) => `((${price} * ${basisPoints} + 5000) / 10000)`

/** How a deal of this age goes on or has ended. `refunded` and `withdrawn` (a dispute was withdrawn) are words of this file alone. */
const FATE = `CASE WHEN age > interval '${LIVE_DAYS} days' THEN
    CASE WHEN m < 50 THEN 'cancelled' WHEN m < 80 THEN 'refunded' WHEN m < 90 THEN 'withdrawn' ELSE 'completed' END
  ELSE (ARRAY['pending', 'paid', 'in_progress', 'shipped', 'shipped', 'inspection', 'inspection', 'disputed', 'completed', 'cancelled'])[1 + m % 10]
  END`

export const DEALS = [
  () => 'CREATE SCHEMA bench',
  count => `CREATE UNLOGGED TABLE bench.deal AS
    SELECT i, ${FIRST_DEAL} + i AS id, made AS at, fate, price, price + ${share('price', 200)} + 500 AS total, ${share('price', 200)} AS platform_fee,
      ${share('price', 150)} AS seller_fee, ${traderId('buyer')} AS buyer_id, ${traderId('seller')} AS seller_id, title,
      fate NOT IN ('pending', 'cancelled') AS is_paid, fate IN ('completed', 'withdrawn') AS is_completed,
      fate IN ('shipped', 'inspection', 'disputed', 'completed', 'withdrawn') AS is_shipped,
      ${idAt('made')} AS payment_id, ${idAt("made + interval '1 hour'")} AS charge_id, ${idAt("made + interval '70 minutes'")} AS fee_id,
      ${idAt("made + interval '6 days'")} AS end_id, ${idAt("made + interval '8 days'")} AS confirmation_id,
      100 + row_number() OVER (PARTITION BY fate IN ('disputed', 'withdrawn') ORDER BY i) AS dispute_id
    FROM (
      SELECT *, CASE WHEN seller_of = buyer THEN (buyer + 1) % ${tradersFor(count)} ELSE seller_of END AS seller, ${FATE} AS fate, clock_timestamp() - age AS made
      FROM (
        SELECT i, interval '${YEARS_DAYS} days' * (1 - i / ${count}.0) AS age, ${mix(1, 1000)} AS m, 1000 + ${mix(2, 50_000)} AS price,
          ${mix(3, tradersFor(count))} AS buyer, ${skewed(4, tradersFor(count))} AS seller_of, ${title(5, 'i')} AS title
        FROM generate_series(1, ${count}::bigint) i
      ) drawn
    ) d`,
  () => 'ANALYZE bench.deal',
]

export const FREE_DEALS = ['DROP SCHEMA bench CASCADE']

/** The clock that runs; null for a deal that has ended or is stopped. */
const CLOCK = `CASE fate WHEN 'pending' THEN 'payment_window' WHEN 'paid' THEN 'ship_by' WHEN 'in_progress' THEN 'receive_by'
  WHEN 'shipped' THEN 'receive_by' WHEN 'inspection' THEN 'inspection' END`
const STATUS = `CASE fate WHEN 'withdrawn' THEN 'completed' WHEN 'refunded' THEN 'cancelled' ELSE fate END`
const BUYER = `'user:' || buyer_id`
const SELLER = `'user:' || seller_id`

/** A row of a table for each deal that matches, `after` its opening. */
const step = (after, condition) => ({ at: `at + interval '${after}'`, condition })
const insertSteps = (table, columns, steps) => () =>
  `INSERT INTO escrow.${table} (id, transaction_id, at, ${columns.join(', ')}) ${steps
    .map(
      ({ at, condition, values }) =>
        `SELECT ${idAt(at)}, id, ${at}, ${columns.map(column => values[column]).join(', ')} FROM bench.deal WHERE ${condition}`,
    )
    .join(' UNION ALL ')}`

const ANY = 'true'
const DELIVERED = `is_completed OR fate IN ('inspection', 'disputed')`

const timeline = (after, condition, version, kind, status, actor) => ({
  ...step(after, condition),
  values: { version, kind: `'${kind}'`, status: `'${status}'`, actor },
})
const TIMELINE = [
  timeline('0 minutes', ANY, 1, 'open', 'pending', BUYER),
  timeline('1 day', `fate = 'cancelled'`, 2, 'endPaymentWindow', 'cancelled', `'clock'`),
  timeline('1 hour', 'is_paid', 2, 'recordFunds', 'paid', `'provider:stripe'`),
  timeline('1 day', 'is_shipped', 3, 'saveTracking', 'shipped', SELLER),
  timeline('1 day', `fate = 'in_progress'`, 3, 'startHandover', 'in_progress', SELLER),
  timeline('4 days', DELIVERED, 4, 'recordDelivery', 'delivered', `'carrier:UPS'`),
  timeline('4 days 1 millisecond', DELIVERED, 4, 'inspect', 'inspection', `'carrier:UPS'`),
  timeline('5 days', `fate IN ('disputed', 'withdrawn')`, 5, 'freeze', 'disputed', BUYER),
  timeline('5 days 4 hours', `fate = 'withdrawn'`, 6, 'resume', 'inspection', BUYER),
  timeline('6 days', 'is_completed', 7, 'accept', 'released', BUYER),
  timeline('6 days 1 millisecond', 'is_completed', 7, 'complete', 'completed', BUYER),
  timeline('6 days', `fate = 'refunded'`, 3, 'refund', 'cancelled', SELLER),
]

/** @param {number | null} days */
const clock = (after, condition, version, name, change, cause, actor, days = null) => ({
  ...step(after, condition),
  values: {
    version,
    clock: `'${name}'`,
    change: `'${change}'`,
    cause: `'${cause}'`,
    actor,
    due_at: days === null ? 'NULL::timestamptz' : `at + interval '${after}' + interval '${days} days'`,
  },
})
const CLOCK_ENTRIES = [
  clock('0 minutes', ANY, 1, 'payment_window', 'started', 'open', BUYER, 1),
  clock('1 day', `fate = 'cancelled'`, 2, 'payment_window', 'stopped', 'endPaymentWindow', `'clock'`),
  clock('1 hour', 'is_paid', 2, 'payment_window', 'stopped', 'recordFunds', `'provider:stripe'`),
  clock('1 hour 1 millisecond', 'is_paid', 2, 'ship_by', 'started', 'recordFunds', `'provider:stripe'`, 7),
  clock('1 day', `is_shipped OR fate = 'in_progress'`, 3, 'ship_by', 'stopped', 'saveTracking', SELLER),
  clock(
    '1 day 1 millisecond',
    `is_shipped OR fate = 'in_progress'`,
    3,
    'receive_by',
    'started',
    'saveTracking',
    SELLER,
    30,
  ),
  clock('4 days', DELIVERED, 4, 'receive_by', 'stopped', 'recordDelivery', `'carrier:UPS'`),
  clock('4 days 1 millisecond', DELIVERED, 4, 'inspection', 'started', 'recordDelivery', `'carrier:UPS'`, 3),
  clock('5 days', `fate IN ('disputed', 'withdrawn')`, 5, 'inspection', 'paused', 'freeze', BUYER),
  clock('5 days 4 hours', `fate = 'withdrawn'`, 6, 'inspection', 'resumed', 'resume', BUYER, 2),
  clock('6 days', 'is_completed', 7, 'inspection', 'stopped', 'accept', BUYER),
  clock('6 days', `fate = 'refunded'`, 3, 'ship_by', 'stopped', 'refund', SELLER),
]

const TRANSACTIONS =
  () => `INSERT INTO escrow.transaction (id, version, status, listing_id, buyer_id, seller_id, opened_by, title, terms, terms_hash,
    terms_version, currency, price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor, fee_schedule, buyer_plan,
    seller_plan, inspection_days, hold_minor, released_minor, refunded_minor, revenue_minor, paid_at, settled_payment_id, tracking_number, carrier,
    clock, due_at, frozen, created_at, updated_at, search_text, terms_text, ended_disputes)
  SELECT id, CASE WHEN is_completed THEN 7 WHEN is_paid THEN 4 ELSE 2 END, ${STATUS}, id, buyer_id, seller_id, buyer_id, title,
    terms || jsonb_build_object('signedHash', encode(sha256(convert_to(terms::text, 'UTF8')), 'hex')),
    sha256(convert_to(terms::text, 'UTF8')), '2026-11', 'USD', price, platform_fee, 500, platform_fee + 500, seller_fee, '2026-11', 'standard', 'standard', 3,
    CASE WHEN is_paid AND NOT is_completed AND fate <> 'refunded' THEN total ELSE 0 END, CASE WHEN is_completed THEN price - seller_fee ELSE 0 END,
    CASE fate WHEN 'refunded' THEN total ELSE 0 END, CASE WHEN is_completed THEN total - price + seller_fee ELSE 0 END,
    CASE WHEN is_paid THEN at + interval '1 hour' END, CASE WHEN is_paid THEN payment_id END,
    CASE WHEN is_shipped THEN 'HF' || id END, CASE WHEN is_shipped THEN 'UPS' END,
    ${CLOCK}, CASE WHEN ${CLOCK} IS NOT NULL THEN now() + interval '2 days' + interval '1 second' * ${mix(30, 600_000)} END,
    CASE fate WHEN 'disputed' THEN jsonb_build_object('clock', 'inspection', 'status', 'inspection', 'version', 5, 'disputeId', dispute_id,
      'remainingMs', 172800000, 'minimumGiven', false) END,
    at, CASE WHEN is_completed OR fate = 'refunded' THEN at + interval '6 days' ELSE at + interval '1 day' END, title, terms::text,
    CASE fate WHEN 'withdrawn' THEN ARRAY[dispute_id] ELSE '{}' END
  FROM (SELECT *, jsonb_build_object('title', title, 'description', repeat('A good thing in fine order. ', 12), 'listingId', id, 'sellerId',
      seller_id, 'inspectionDays', 3, 'currency', 'USD', 'price', to_char(price / 100.0, 'FM9999990.00'), 'condition', 'Good', 'category', 'Electronics',
      'location', 'Portland, OR', 'images', '[]'::jsonb, 'returnPolicy', 'no-returns', 'signedBy', 'seller', 'signedAt', at) AS terms
    FROM bench.deal) deal`

/** The rows besides the ledger. */
export const ESCROW_ROWS = [
  TRANSACTIONS,
  count => `SELECT setval(pg_get_serial_sequence('escrow.transaction', 'id'), ${FIRST_DEAL + count})`,
  () => `INSERT INTO escrow.acceptance (transaction_id, party, user_id, by, terms_version, terms_hash, at)
    SELECT id, party, user_id, by, terms_version, terms_hash, created_at + after FROM escrow.transaction deal CROSS JOIN LATERAL (
      SELECT 'seller', seller_id, 'signing', interval '0' UNION ALL SELECT 'buyer', buyer_id, 'paying', interval '1 hour' WHERE paid_at IS NOT NULL
      UNION ALL SELECT 'seller', seller_id, 'shipping', interval '1 day' WHERE tracking_number IS NOT NULL
    ) accepted (party, user_id, by, after)`,
  insertSteps('timeline', ['version', 'kind', 'status', 'actor'], TIMELINE),
  insertSteps('clock_entry', ['version', 'clock', 'change', 'cause', 'actor', 'due_at'], CLOCK_ENTRIES),
  () => `INSERT INTO escrow.parcel (transaction_id, tracking_number, carrier, tracker_id, status, last_update, delivered_at, saved_at, counted_scan, poll_at)
    SELECT id, 'HF' || id, 'UPS', 'trk_' || id, CASE WHEN ${DELIVERED} THEN 'delivered' ELSE 'in_transit' END, at + interval '4 days',
      CASE WHEN ${DELIVERED} THEN at + interval '4 days' END, at + interval '1 day', CASE WHEN ${DELIVERED} THEN at + interval '4 days' END,
      CASE fate WHEN 'shipped' THEN now() + interval '3 days' END
    FROM bench.deal WHERE is_shipped`,
  () => `INSERT INTO escrow.review (id, transaction_id, author_id, author_role, subject_id, rating, content, created_at)
    SELECT ${idAt("at + interval '7 days'")}, id, buyer_id, 'buyer', seller_id, 3 + ${mix(31, 3)}, 'As described.', at + interval '7 days'
      FROM bench.deal WHERE is_completed AND ${mix(32, 10)} < 4 AND at < now() - interval '7 days'
    UNION ALL SELECT ${idAt("at + interval '7 days'")}, id, seller_id, 'seller', buyer_id, 5, NULL, at + interval '7 days'
      FROM bench.deal WHERE is_completed AND ${mix(33, 10)} < 3 AND at < now() - interval '7 days'`,
  () => `INSERT INTO escrow.idempotency_key (user_id, route, key, input_hash, answer, created_at)
    SELECT buyer_id, route, 'bench-' || route || '-' || id, sha256(id::text::bytea), jsonb_build_object('id', id), at
      FROM bench.deal CROSS JOIN unnest(ARRAY['open', 'payments', 'tracking', 'accept']) route WHERE at > now() - interval '7 days'`,
]

const posting = (entry, n, debit, credit, amount, condition) =>
  `SELECT ${entry}, ${n}, ${debit}, ${credit}, 'USD', ${amount} FROM bench.deal WHERE ${condition}`
const entries = (id, kind, after, condition) =>
  `SELECT ${id}, id, '${kind}', at + interval '${after}' FROM bench.deal WHERE ${condition}`

/** Payments with their ledger, refunds, and payouts: one for the deals of a seller that ended within a year. */
export const LEDGER_ROWS = [
  () => `INSERT INTO escrow.payment (id, transaction_id, user_id, method, status, amount_minor, currency, intent_id, charge_id, provider_fee_minor,
      created_at, updated_at, card_brand, card_last4)
    SELECT payment_id, id, buyer_id, 'card', 'succeeded', total, 'USD', 'pi_filled_' || id, 'ch_filled_' || id, 300, at, at + interval '70 minutes', 'visa', '4242'
    FROM bench.deal WHERE is_paid`,
  () => `INSERT INTO escrow.journal_entry (id, transaction_id, kind, at)
    ${entries('charge_id', 'charge', '1 hour', 'is_paid')}
    UNION ALL ${entries('fee_id', 'provider_fee', '70 minutes', 'is_paid')}
    UNION ALL ${entries('end_id', 'release', '6 days', 'is_completed')}
    UNION ALL ${entries('end_id', 'refund', '6 days', `fate = 'refunded'`)}
    UNION ALL ${entries('confirmation_id', 'refund_confirmed', '8 days', `fate = 'refunded'`)}`,
  () => `INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
    ${posting('charge_id', 1, `'provider_clearing'`, `'hold:' || id`, 'total', 'is_paid')}
    UNION ALL ${posting('fee_id', 1, `'provider_costs'`, `'provider_clearing'`, '300', 'is_paid')}
    UNION ALL ${posting('end_id', 1, `'hold:' || id`, `'seller_payable:' || seller_id`, 'price - seller_fee', 'is_completed')}
    UNION ALL ${posting('end_id', 2, `'hold:' || id`, `'revenue'`, 'total - price + seller_fee', 'is_completed')}
    UNION ALL ${posting('end_id', 1, `'hold:' || id`, `'refund_due:' || id`, 'total', `fate = 'refunded'`)}
    UNION ALL ${posting('confirmation_id', 1, `'refund_due:' || id`, `'provider_clearing'`, 'total', `fate = 'refunded'`)}`,
  () => `INSERT INTO escrow.refund (id, transaction_id, payment_id, amount_minor, currency, status, provider_refund_id, created_at, updated_at, origin)
    SELECT ${idAt("at + interval '6 days'")}, id, payment_id, total, 'USD', 'confirmed', 're_filled_' || id, at + interval '6 days', at + interval '8 days', 'us'
    FROM bench.deal WHERE fate = 'refunded'`,
  () => `INSERT INTO escrow.webhook_event (id, kind, received_at)
    SELECT 'evt_filled_' || id, 'payment_intent.succeeded', at + interval '1 hour' FROM bench.deal WHERE is_paid AND at > now() - interval '90 days'`,
  count => `INSERT INTO escrow.payout_account (user_id, is_verified, known_at, provider_account_id, status, bank_label, created_at, updated_at)
    SELECT ${traderId('i')}, true, now(), 'acct_filled_' || i, 'ready', 'Test Bank ending in 6789', now() - interval '${YEARS_DAYS} days', now()
    FROM generate_series(0, ${tradersFor(count) - 1}) i ON CONFLICT (user_id) DO UPDATE SET is_verified = true, status = 'ready',
      provider_account_id = excluded.provider_account_id`,
  () => `CREATE UNLOGGED TABLE bench.payout AS
    SELECT seller_id, year, max(at) + interval '9 days' AS at, sum(price - seller_fee)::bigint AS amount, ${idAt("max(at) + interval '9 days'")} AS id,
      ${idAt("max(at) + interval '9 days'")} AS sent_id, ${idAt("max(at) + interval '10 days'")} AS paid_id
    FROM (SELECT *, date_trunc('year', at) AS year FROM bench.deal WHERE is_completed AND at < now() - interval '30 days') deal GROUP BY seller_id, year`,
  () => `INSERT INTO escrow.payout (id, seller_id, amount_minor, currency, status, provider_account_id, bank_label, transfer_id, transferred_at,
      provider_payout_id, created_at, arrived_at, updated_at)
    SELECT id, seller_id, amount, 'USD', 'paid', 'acct_filled', 'Test Bank ending in 6789', 'tr_filled_' || id, at, 'po_filled_' || id, at,
      at + interval '1 day', at + interval '1 day' FROM bench.payout`,
  () => `INSERT INTO escrow.payout_deal (payout_id, transaction_id, amount_minor)
    SELECT p.id, d.id, d.price - d.seller_fee FROM bench.deal d JOIN bench.payout p ON p.seller_id = d.seller_id AND p.year = date_trunc('year', d.at)
    WHERE d.is_completed AND d.at < now() - interval '30 days'`,
  () => `INSERT INTO escrow.journal_entry (id, transaction_id, kind, at)
    SELECT sent_id, NULL::bigint, 'payout_sent', at FROM bench.payout UNION ALL SELECT paid_id, NULL::bigint, 'payout_paid', at + interval '1 day' FROM bench.payout`,
  () => `INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
    SELECT sent_id, 1, 'seller_payable:' || seller_id, 'payout_in_transit:' || id, 'USD', amount FROM bench.payout
    UNION ALL SELECT paid_id, 1, 'payout_in_transit:' || id, 'provider_clearing', 'USD', amount FROM bench.payout`,
]
