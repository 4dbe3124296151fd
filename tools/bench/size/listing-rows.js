// Listings: one for each deal, and those on sale.
import { FIRST_ON_SALE, mix, onSaleFor, text, title, traderId, tradersFor } from './numbers.js'

const COLUMNS = `(id, version, title, description, price_minor, currency, category, condition, status, is_private, seller_id, created_by,
    inspection_days, return_policy, image_hashes, transaction_id, created_at, updated_at, search_text)`
const CATEGORY = `(ARRAY['Electronics', 'Fashion', 'Home & Garden', 'Sports', 'Books', 'Other'])[1 + ${mix(50, 6)}]`
const CONDITION = `(ARRAY['New', 'Excellent', 'Good', 'Fair'])[1 + ${mix(51, 4)}]`
const images = id =>
  `ARRAY[encode(sha256((${id} * 2)::text::bytea), 'hex'), encode(sha256((${id} * 2 + 1)::text::bytea), 'hex')]`

export const LISTING_ROWS = [
  () => `INSERT INTO listing.listing ${COLUMNS} OVERRIDING SYSTEM VALUE
    SELECT id, 3, title, repeat('A good thing in fine order. ', 12), price, 'USD', ${CATEGORY}, ${CONDITION},
      CASE WHEN is_completed THEN 'sold' WHEN fate IN ('cancelled', 'refunded') THEN 'inactive' ELSE 'reserved' END, false, seller_id, seller_id, 3,
      'no-returns', ${images('id')}, CASE WHEN fate IN ('cancelled', 'refunded') THEN NULL ELSE id END, at - interval '5 days', at, title
    FROM bench.deal`,
  count => `INSERT INTO listing.listing ${COLUMNS} OVERRIDING SYSTEM VALUE
    SELECT id, 1, title, description, 1000 + ${mix(52, 90_000)}, 'USD', ${CATEGORY}, ${CONDITION}, 'active', false, seller, seller, 3, 'no-returns',
      ${images('id')}, NULL, at, at, lower(title || ' ' || description)
    FROM (SELECT i, ${FIRST_ON_SALE} + i AS id, ${title(53, 'i')} AS title, ${text(60, 36, 'i')} AS description,
        ${traderId(mix(54, tradersFor(count)))} AS seller, now() - interval '180 days' * (1 - i / ${onSaleFor(count)}.0) AS at
      FROM generate_series(1, ${onSaleFor(count)}::bigint) i) made`,
  count => `SELECT setval(pg_get_serial_sequence('listing.listing', 'id'), ${2 * FIRST_ON_SALE + count})`,
  () => `INSERT INTO listing.listing_buyer (listing_id, buyer_id) SELECT id, buyer_id FROM bench.deal`,
  () => `INSERT INTO listing.legal_acceptance (id, listing_id, signer_id, signed_as, agreements_version, terms_accepted, escrow_agreement, harmless_clause,
      digital_signature, signature_date, received_at, client_ip, user_agent, listing_version, terms_hash)
    SELECT uuidv7(created_at - clock_timestamp()), id, seller_id, 'seller', '2026-11', true, true, true, 'Bench Person', created_at::text, created_at, '127.0.0.1', 'node', version,
      sha256(id::text::bytea)
    FROM listing.listing`,
]
