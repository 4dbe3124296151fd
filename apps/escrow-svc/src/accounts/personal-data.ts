import type { PersonalDataPart } from '@holdfast/contracts/personal-data'
import type { PartStatement } from '@holdfast/service-kit/personal-data/read-part'

/** Whether a step was the user's own, the other party's, or that of neither party. Ids of operators are not shown. */
const BY = `CASE WHEN x.actor = 'user:' || $1::uuid::text THEN 'you' WHEN x.actor LIKE 'user:%' THEN 'other party' ELSE x.actor END`

const of = (inner: string, order: string) => `(SELECT coalesce(jsonb_agg(${inner} ORDER BY ${order}), '[]')`

/** A deal as its parties see it. The books of the platform's own costs are not a part of it. */
const DEAL = `jsonb_build_object('id', t.id, 'role', CASE WHEN t.buyer_id = $1 THEN 'buyer' ELSE 'seller' END, 'status', t.status,
  'listingId', t.listing_id, 'title', t.title, 'terms', t.terms, 'termsVersion', t.terms_version, 'currency', t.currency,
  'priceMinor', t.price_minor, 'inspectionDays', t.inspection_days, 'heldMinor', t.hold_minor, 'releasedMinor', t.released_minor,
  'refundedMinor', t.refunded_minor, 'paidAt', t.paid_at, 'createdAt', t.created_at, 'updatedAt', t.updated_at,
  'trackingNumber', t.tracking_number, 'carrier', t.carrier)
  || CASE WHEN t.buyer_id = $1 THEN jsonb_build_object('feeMinor', t.buyer_fee_minor) ELSE jsonb_build_object('feeMinor', t.seller_fee_minor) END
  || jsonb_build_object('timeline', ${of(
    `jsonb_build_object('step', x.kind, 'status', x.status, 'by', ${BY}, 'at', x.at)`,
    'x.version, x.id',
  )} FROM timeline x WHERE x.transaction_id = t.id))
  || jsonb_build_object('refunds', ${of(
    `jsonb_build_object('amountMinor', x.amount_minor, 'status', x.status, 'createdAt', x.created_at)`,
    'x.created_at, x.id',
  )} FROM refund x WHERE x.transaction_id = t.id AND x.status <> 'void'))
  || jsonb_build_object('chargebacks', ${of(
    `jsonb_build_object('amountMinor', x.amount_minor, 'status', x.status, 'createdAt', x.created_at)`,
    'x.created_at, x.id',
  )} FROM chargeback x WHERE x.transaction_id = t.id))`

const OWN_ACCOUNT = `'seller_payable:' || $1::uuid::text`
const LIKE = `LIKE 'seller_payable:%'`

/** What escrow-svc keeps about a user. Amounts are minor units, such as cents. */
export const PARTS: Readonly<Record<PersonalDataPart<'escrow-svc'>, PartStatement>> = {
  deals: `
    SELECT t.id::text AS cursor, ${DEAL} AS item FROM (
      (SELECT * FROM transaction WHERE buyer_id = $1 AND ($2::bigint IS NULL OR id > $2) ORDER BY id LIMIT $3)
      UNION ALL
      (SELECT * FROM transaction WHERE seller_id = $1 AND ($2::bigint IS NULL OR id > $2) ORDER BY id LIMIT $3)
      ORDER BY id LIMIT $3) t ORDER BY t.id`,
  acceptances: `
    SELECT a.transaction_id || ' ' || a.by AS cursor, jsonb_build_object('transactionId', a.transaction_id, 'party', a.party, 'by', a.by,
      'termsVersion', a.terms_version, 'termsSha256', encode(a.terms_hash, 'hex'), 'at', a.at) AS item
    FROM acceptance a JOIN transaction t ON t.id = a.transaction_id
    WHERE a.user_id = $1 AND (t.buyer_id = $1 OR t.seller_id = $1) AND ($2::text IS NULL
      OR (a.transaction_id, a.by) > (split_part($2, ' ', 1)::bigint, split_part($2, ' ', 2)))
    ORDER BY a.transaction_id, a.by LIMIT $3`,
  payments: `
    SELECT p.id::text AS cursor, jsonb_build_object('id', p.id, 'transactionId', p.transaction_id, 'method', p.method,
      'cardBrand', p.card_brand, 'cardLast4', p.card_last4,
      'status', p.status, 'amountMinor', p.amount_minor, 'currency', p.currency, 'receivedMinor', p.received_minor,
      'bankTransfer', p.transfer, 'crypto', CASE WHEN c.payment_id IS NOT NULL THEN jsonb_build_object('asset', c.asset,
        'walletAddress', c.wallet_address, 'depositAddress', c.deposit_address, 'transfers', c.transfers) END,
      'createdAt', p.created_at, 'updatedAt', p.updated_at) AS item
    FROM payment p JOIN transaction t ON t.id = p.transaction_id LEFT JOIN crypto_payment c ON c.payment_id = p.id
    WHERE t.buyer_id = $1 AND p.user_id = $1 AND ($2::uuid IS NULL OR p.id > $2) ORDER BY p.id LIMIT $3`,
  payoutAccount: `
    SELECT user_id::text AS cursor, jsonb_build_object('status', status, 'bank', bank_label, 'reason', reason,
      'nextPayoutAt', next_payout_at, 'providerAccountId', provider_account_id, 'createdAt', created_at) AS item
    FROM payout_account WHERE user_id = $1 AND ($2::uuid IS NULL OR user_id > $2) LIMIT $3`,
  payouts: `
    SELECT id::text AS cursor, jsonb_build_object('id', id, 'amountMinor', amount_minor, 'currency', currency, 'status', status,
      'bank', bank_label, 'failure', failure, 'createdAt', created_at, 'arrivedAt', arrived_at) AS item
    FROM payout WHERE seller_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  balanceEntries: `
    SELECT p.entry_id || ' ' || p.n AS cursor, jsonb_build_object('entryId', p.entry_id, 'kind', e.kind,
      'transactionId', e.transaction_id, 'amountMinor', p.amount, 'currency', p.currency, 'at', e.at) AS item
    FROM (
      SELECT entry_id, n, amount_minor AS amount, currency FROM posting WHERE credit = ${OWN_ACCOUNT} AND credit ${LIKE}
      UNION ALL
      SELECT entry_id, n, -amount_minor, currency FROM posting WHERE debit = ${OWN_ACCOUNT} AND debit ${LIKE}
    ) p JOIN journal_entry e ON e.id = p.entry_id
    WHERE $2::text IS NULL OR (p.entry_id, p.n) > (split_part($2, ' ', 1)::uuid, split_part($2, ' ', 2)::int)
    ORDER BY p.entry_id, p.n LIMIT $3`,
  subscriptions: `
    SELECT id::text AS cursor, jsonb_build_object('id', id, 'interval', interval, 'amountMinor', amount_minor, 'currency', currency,
      'status', status, 'card', card_label, 'periodEndsAt', period_ends_at, 'createdAt', created_at) AS item
    FROM subscription WHERE user_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  invoices: `
    SELECT id AS cursor, jsonb_build_object('number', number, 'subscriptionId', subscription_id, 'status', status,
      'amountMinor', amount_minor, 'currency', currency, 'periodStartsAt', period_starts_at, 'periodEndsAt', period_ends_at,
      'paidAt', paid_at, 'refundedMinor', refunded_minor, 'chargedBackMinor', charged_back_minor) AS item
    FROM subscription_invoice WHERE user_id = $1 AND ($2::text IS NULL OR id > $2) ORDER BY id LIMIT $3`,
  reviewsWritten: `
    SELECT r.id::text AS cursor, jsonb_build_object('id', r.id, 'transactionId', r.transaction_id, 'as', r.author_role,
      'rating', r.rating, 'content', r.content, 'createdAt', r.created_at) AS item
    FROM review r JOIN transaction t ON t.id = r.transaction_id
    WHERE r.author_id = $1 AND (t.buyer_id = $1 OR t.seller_id = $1) AND ($2::uuid IS NULL OR r.id > $2) ORDER BY r.id LIMIT $3`,
  reviewsReceived: `
    SELECT id::text AS cursor, jsonb_build_object('id', id, 'transactionId', transaction_id, 'from', author_role,
      'rating', rating, 'content', content, 'createdAt', created_at) AS item
    FROM review WHERE subject_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
}
