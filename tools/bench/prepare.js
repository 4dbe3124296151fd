// Writes people, listings and deals in bulk, as the services would have written them.
import { shareOf } from '@holdfast/kernel/money'

/** People by number. In prepared deals the first half buy, and the second half sell. */
export const PEOPLE = 4_000
export const BUYERS = PEOPLE / 2
export const LISTINGS = 10_000
const PRICE_MINOR = '(10000 + i % 5000)'
/** A share of the price in basis points, rounded half up as the kernel's `shareOf` does. */
const shareOfPrice = basisPoints => `((${PRICE_MINOR} * ${basisPoints} + 5000) / 10000)`
const PLATFORM_FEE_MINOR = shareOfPrice(200)
const PROCESSING_FEE_MINOR = '500'
const SELLER_FEE_MINOR = shareOfPrice(150)

/** A person's id as SQL over a number, and the id and the session token of person `n`. Both are as long as real ones. */
export const personId = number => `('00000000-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
export const personIdOf = number => `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
export const sessionToken = number => `bench-session-${String(number).padStart(29, '0')}`
/** The `Cookie` header of person `number`. */
export const sessionCookie = number => `holdfast_session=${sessionToken(number)}`
/**
 * Who can buy a listing, and its price. The buyer is none of those who buy prepared deals, since they have too many unpaid ones to be allowed
 * another. The seller of listing `number` is the person of that number, of all people, so the buyer is always somebody else.
 */
export const purchaseOf = number => ({
  buyer: BUYERS + ((number + 1) % BUYERS),
  amount: ((10_000 + number) / 100).toFixed(2),
})

const INSERT_LISTING = `INSERT INTO listing.listing (id, version, title, description, price_minor, currency, category,
    condition, status, is_private, seller_id, created_by, inspection_days, return_policy, image_hashes, created_at,
    updated_at, search_text)
  OVERRIDING SYSTEM VALUE`

export async function preparePeopleAndListings(database) {
  await database.query(`INSERT INTO identity.users (id, email, username, password_hash, first_name, last_name, created_at)
    SELECT ${personId('i')}, 'p' || i || '@bench.test', 'bench' || i, '-', 'Bench', 'Person', now()
    FROM generate_series(0, ${PEOPLE - 1}) i`)
  await database.query(`INSERT INTO identity.sessions (id, user_id, token_hash, created_at, expires_at)
    SELECT ${personId('i')}, ${personId('i')}, sha256(('bench-session-' || lpad(i::text, 29, '0'))::bytea), now(), now() + interval '30 days'
    FROM generate_series(0, ${PEOPLE - 1}) i`)
  await database.query(`INSERT INTO listing.seller (id, first_name, last_name, username, is_verified, known_at)
    SELECT ${personId('i')}, 'Bench', 'Person', 'bench' || i, true, now() FROM generate_series(0, ${PEOPLE - 1}) i`)
  await database.query(`${INSERT_LISTING}
    SELECT i, 1, 'Listing number ' || i, repeat('A good thing in fine order. ', 35), 10000 + i, 'USD', 'Electronics', 'Good',
      'active', false, ${personId(`i % ${PEOPLE}`)}, ${personId(`i % ${PEOPLE}`)}, 3, 'no-returns',
      ARRAY[encode(sha256(i::text::bytea), 'hex'), encode(sha256((i + 1)::text::bytea), 'hex')], now(), now(), 'listing'
    FROM generate_series(1, ${LISTINGS}) i`)
  // Tables that are still empty are left out: a plan for a table known to be empty scans it, even when it has grown.
  await database.query('ANALYZE identity.users, identity.sessions, listing.seller, listing.listing')
}

/** Lets sellers sign what they sign when they offer an item. Without it a listing cannot be bought. */
export const signListings = database =>
  database.query(`INSERT INTO listing.legal_acceptance (id, listing_id, signer_id, signed_as, agreements_version, terms_accepted,
    escrow_agreement, harmless_clause, digital_signature, signature_date, received_at, listing_version, terms_hash)
  SELECT gen_random_uuid(), id, seller_id, 'seller', '2026-11', true, true, true, 'Bench Person', '2026-11-01', now(), version,
    sha256(id::text::bytea) FROM listing.listing`)

/**
 * `count` deals to fund and as many to accept, with the buyer's number for each. A hot seller sells all of them. Each has a listing of its own,
 * with the id of the deal.
 * Answers the first id of each kind.
 */
export async function prepareDeals(database, { count, hotSeller }) {
  const { rows } = await database.query('SELECT greatest(max(id), $1) + 1 AS next FROM escrow.transaction', [LISTINGS])
  const toFund = Number(rows[0].next)
  const toAccept = toFund + count
  await insertListings(database, { first: toFund, last: toAccept + count - 1 })
  await insertDeals(database, { first: toFund, count, hotSeller, status: 'pending' })
  await insertDeals(database, { first: toAccept, count, hotSeller, status: 'inspection' })
  // Deals that are opened later must not get the ids of these.
  await database.query(`SELECT setval(pg_get_serial_sequence('escrow.transaction', 'id'), $1)`, [toAccept + count - 1])
  return { toFund, toAccept, count }
}

/** The listings of the deals. They are private, so that searches do not have to index them. */
async function insertListings(database, { first, last }) {
  await database.query(`${INSERT_LISTING}
    SELECT i, 1, 'Listing number ' || i, 'A good thing.', 10000, 'USD', 'Electronics', 'Good', 'reserved', true,
      ${personId(`i % ${PEOPLE}`)}, ${personId(`i % ${PEOPLE}`)}, 3, 'no-returns', '{}', now(), now(), 'listing'
    FROM generate_series(${first}::bigint, ${last}::bigint) i`)
}

/** Deals of one status with their payment and, where they hold money, its charge. */
async function insertDeals(database, { first, count, hotSeller, status }) {
  const held = status === 'inspection'
  const seller = hotSeller ? personId(PEOPLE - 1) : personId(`${BUYERS} + (i * 7) % (${BUYERS} - 1)`)
  const total = `${PRICE_MINOR} + ${PLATFORM_FEE_MINOR} + ${PROCESSING_FEE_MINOR}`
  const paymentId = `('00000000-0000-7000-9000-' || lpad(to_hex(i), 12, '0'))::uuid`
  const series = `generate_series(${first}::bigint, ${first + count - 1}::bigint) i`
  await database.query(`INSERT INTO escrow.transaction (id, status, listing_id, buyer_id, seller_id, opened_by, title, terms, terms_hash,
      terms_version, currency, price_minor, platform_fee_minor, processing_fee_minor, buyer_fee_minor, seller_fee_minor,
      fee_schedule, buyer_plan, seller_plan, inspection_days, hold_minor, paid_at, settled_payment_id, clock, due_at, created_at, updated_at)
    SELECT i, '${status}', i, ${personId(`i % ${BUYERS}`)}, ${seller}, ${personId(`i % ${BUYERS}`)}, 'Listing number ' || i,
      jsonb_build_object('title', 'Listing number ' || i, 'description', repeat('A good thing in fine order. ', 12), 'listingId', i,
        'sellerId', ${seller}, 'inspectionDays', 3, 'currency', 'USD', 'price', to_char(${PRICE_MINOR} / 100.0, 'FM9999990.00'),
        'category', 'Electronics', 'condition', 'Good', 'location', NULL, 'images', '[]'::jsonb, 'returnPolicy', 'no-returns',
        'signedBy', 'seller', 'signedAt', now(), 'signedHash', encode(sha256(i::text::bytea), 'hex')),
      sha256(i::text::bytea), '2026-11', 'USD', ${PRICE_MINOR}, ${PLATFORM_FEE_MINOR}, ${PROCESSING_FEE_MINOR},
      ${PLATFORM_FEE_MINOR} + ${PROCESSING_FEE_MINOR}, ${SELLER_FEE_MINOR}, '2026-11', 'standard', 'standard', 3,
      ${held ? total : '0'}, ${held ? 'now()' : 'NULL'}, ${held ? paymentId : 'NULL'}, '${held ? 'inspection' : 'payment_window'}',
      now() + interval '3 days' + i * interval '1 millisecond', now(), now()
    FROM ${series}`)
  await database.query(`INSERT INTO escrow.acceptance (transaction_id, party, user_id, by, terms_version, terms_hash, at)
    SELECT id, 'seller', seller_id, 'signing', terms_version, terms_hash, (terms ->> 'signedAt')::timestamptz
    FROM escrow.transaction JOIN ${series} ON i = id`)
  await database.query(`INSERT INTO escrow.payment (id, transaction_id, user_id, method, status, amount_minor, currency, intent_id,
      provider_fee_minor, created_at, updated_at)
    SELECT ${paymentId}, i, ${personId(`i % ${BUYERS}`)}, 'card', '${held ? 'succeeded' : 'open'}', ${total}, 'USD', 'pi_bench_' || i,
      NULL, now(), now()
    FROM ${series}`)
  if (!held) return
  await database.query(`WITH entry AS (
      INSERT INTO escrow.journal_entry (id, transaction_id, kind, at)
      SELECT gen_random_uuid(), i, 'charge', now() FROM ${series} RETURNING id, transaction_id
    ) INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
    SELECT entry.id, 1, 'provider_clearing', 'hold:' || transaction_id, 'USD', t.hold_minor
    FROM entry JOIN escrow.transaction t ON t.id = transaction_id`)
}

/** Statistics and a checkpoint, so that a round does not do work that the round before it left. */
export async function settleTables(database) {
  // The listings of the deals fill holes in pages that other listings are counted from.
  await database.query(
    'VACUUM ANALYZE escrow.transaction, escrow.acceptance, escrow.payment, escrow.journal_entry, escrow.posting, escrow.outbox, listing.listing',
  )
  await database.query('CHECKPOINT')
}

/** The total a prepared deal is charged, in minor units: the same arithmetic as above. */
export function totalOf(id) {
  const price = 10_000 + (id % 5_000)
  return price + Number(shareOf(BigInt(price), 200)) + 500
}
