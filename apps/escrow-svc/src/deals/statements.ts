/**
 * The statements of the money path. A command reads once and writes once, and what queues while a statement is out
 * shares the next one, so each takes arrays. In the write everything hangs on the versioned UPDATE of the deal's row:
 * whatever belongs to a deal whose version has moved on is not written at all.
 */
import type { EventEnvelope } from '@holdfast/contracts/events'
import { outboxInsert, outboxValues } from '@holdfast/events/outbox/outbox'
import type { Clock } from '@holdfast/kernel/clocks'
import type { DealStatus } from '@holdfast/kernel/deals'
import { newId } from '@holdfast/kernel/ids'
import type { Currency } from '@holdfast/kernel/money'
import type { Change, Deal, Frozen } from './domain/deal.js'

/** The deal's own columns, as `toDeal` reads them. */
const DEAL = `t.id, t.version, t.status, t.listing_id, t.title, t.buyer_id, t.seller_id, t.currency, t.price_minor,
  t.buyer_fee_minor, t.seller_fee_minor, t.hold_minor, t.inspection_days, t.paid_at, t.tracking_number, t.carrier,
  t.clock, t.due_at, t.frozen`

/** $1 ids, $2 users, $3 routes, $4 keys: the deal, and whether this key was seen. */
export const READ_BY_ID = `SELECT ${DEAL}, i.input_hash, i.answer
  FROM unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[]) WITH ORDINALITY k(id, user_id, route, key, nth)
  LEFT JOIN escrow.transaction t ON t.id = k.id
  LEFT JOIN escrow.idempotency i ON i.user_id = k.user_id AND i.route = k.route AND i.key = k.key
  ORDER BY k.nth`

/** $1 intents, $2 webhook events: the deal that a provider's event is about, its payment, and whether it was seen. */
export const READ_BY_INTENT = `SELECT ${DEAL}, p.id AS payment_id, p.status AS payment_status, p.stray,
    p.amount_minor AS payment_minor, p.currency AS payment_currency, w.id AS seen
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY k(intent, event, nth)
  LEFT JOIN escrow.payment p ON p.intent_id = k.intent
  LEFT JOIN escrow.transaction t ON t.id = p.transaction_id
  LEFT JOIN escrow.webhook_event w ON w.id = k.event
  ORDER BY k.nth`

/** The number of the first of the outbox's parameters. */
const OUTBOX_AT = 53

/** Nobody waits for what the provider kept of a charge, and at a busy moment there is better to do than to ask. */
const FEE_ASKED_AFTER = '10 minutes'

export const WRITE = `WITH t AS (
  UPDATE escrow.transaction d SET version = d.version + 1, status = x.status, hold_minor = d.hold_minor + x.delta,
    clock = x.clock, due_at = x.due_at, frozen = x.frozen, updated_at = x.at, paid_at = coalesce(d.paid_at, x.paid_at),
    tracking_number = coalesce(x.tracking_number, d.tracking_number),
    carrier = CASE WHEN x.tracking_number IS NULL THEN d.carrier ELSE x.carrier END
  FROM unnest($1::bigint[], $2::int[], $3::text[], $4::bigint[], $5::text[], $6::timestamptz[], $7::jsonb[],
    $8::timestamptz[], $9::timestamptz[], $10::text[], $11::text[])
    x(id, version, status, delta, clock, due_at, frozen, at, paid_at, tracking_number, carrier)
  WHERE d.id = x.id AND d.version = x.version
  RETURNING d.id, d.currency, d.terms_version, d.terms_hash, d.buyer_id, d.seller_id, x.at
), keyed AS (
  INSERT INTO escrow.idempotency (user_id, route, key, input_hash, answer, created_at)
  SELECT x.user_id, x.route, x.key, x.input_hash, x.answer, t.at
  FROM unnest($12::bigint[], $13::uuid[], $14::text[], $15::text[], $16::bytea[], $17::jsonb[])
    x(id, user_id, route, key, input_hash, answer) JOIN t USING (id)
), heard AS (
  INSERT INTO escrow.webhook_event (id, kind, received_at)
  SELECT x.event, x.kind, t.at FROM unnest($18::bigint[], $19::text[], $20::text[]) x(id, event, kind) JOIN t USING (id)
), settled AS (
  UPDATE escrow.payment p SET status = 'succeeded', charge_id = x.charge, stray = x.stray, fee_due_at = t.at + interval '${FEE_ASKED_AFTER}', updated_at = t.at
  FROM unnest($21::bigint[], $22::uuid[], $23::text[], $24::boolean[]) x(id, payment, charge, stray) JOIN t USING (id) WHERE p.id = x.payment
), entries AS (
  INSERT INTO escrow.journal_entry (id, transaction_id, kind, at)
  SELECT x.entry, t.id, x.kind, t.at FROM unnest($25::bigint[], $26::uuid[], $27::text[]) x(id, entry, kind) JOIN t USING (id)
), postings AS (
  INSERT INTO escrow.posting (entry_id, n, debit, credit, currency, amount_minor)
  SELECT x.entry, x.n, x.debit, x.credit, t.currency, x.amount
  FROM unnest($28::bigint[], $29::uuid[], $30::smallint[], $31::text[], $32::text[], $33::bigint[])
    x(id, entry, n, debit, credit, amount) JOIN t USING (id)
), told AS (
  INSERT INTO escrow.timeline (id, transaction_id, kind, status, actor, at)
  SELECT x.fact, t.id, x.kind, x.status, x.actor, t.at
  FROM unnest($34::bigint[], $35::uuid[], $36::text[], $37::text[], $38::text[]) x(id, fact, kind, status, actor) JOIN t USING (id)
), clocked AS (
  INSERT INTO escrow.clock_entry (id, transaction_id, clock, change, cause, actor, at, due_at)
  SELECT x.entry, t.id, x.clock, x.change, x.cause, x.actor, t.at, x.due_at
  FROM unnest($39::bigint[], $40::uuid[], $41::text[], $42::text[], $43::text[], $44::text[], $45::timestamptz[])
    x(id, entry, clock, change, cause, actor, due_at) JOIN t USING (id)
), accepted AS (
  INSERT INTO escrow.acceptance (transaction_id, party, user_id, by, terms_version, terms_hash, at)
  SELECT t.id, x.party, CASE x.party WHEN 'buyer' THEN t.buyer_id ELSE t.seller_id END, x.by, t.terms_version, t.terms_hash, t.at
  FROM unnest($46::bigint[], $47::text[], $48::text[]) x(id, party, by) JOIN t USING (id) ON CONFLICT DO NOTHING
), refunds AS (
  INSERT INTO escrow.refund (id, transaction_id, payment_id, amount_minor, currency, status, due_at, created_at, updated_at)
  SELECT x.refund, t.id, x.payment, x.amount, t.currency, 'due', t.at, t.at, t.at
  FROM unnest($49::bigint[], $50::uuid[], $51::uuid[], $52::bigint[]) x(id, refund, payment, amount) JOIN t USING (id)
), parcels AS (
  -- What is shared is for the release before, which runs beside this one while it is rolled out.
  INSERT INTO escrow.parcel (transaction_id, tracking_number, carrier, shared, saved_at, poll_at)
  SELECT t.id, x.tracking_number, x.carrier, EXISTS (
      SELECT FROM escrow.transaction other WHERE other.tracking_number = x.tracking_number AND other.id <> t.id
        AND other.status NOT IN ('completed', 'cancelled')), t.at, t.at
  FROM unnest($1::bigint[], $10::text[], $11::text[]) x(id, tracking_number, carrier) JOIN t USING (id)
  WHERE x.tracking_number IS NOT NULL
  ON CONFLICT (transaction_id) DO UPDATE SET tracking_number = excluded.tracking_number, carrier = excluded.carrier,
    shared = excluded.shared, saved_at = excluded.saved_at, poll_at = excluded.poll_at, tracker_id = NULL, status = NULL, status_description = NULL,
    location = NULL, estimated_delivery = NULL, last_update = NULL, delivered_at = NULL, counted_scan = NULL, attempts = 0
), events AS (
  ${outboxInsert('escrow.outbox', OUTBOX_AT, 't ON t.id = event.key::bigint')}
) SELECT id FROM t`

/** Everything that one command writes. */
export interface Write {
  readonly transaction: Deal
  readonly change: Change
  /** Who did it, as the timeline keeps it: `user:<id>`, `clock:<name>`, `provider:<name>`, … */
  readonly by: string
  readonly at: Date
  readonly keyed: (IdempotencyKey & { readonly answer: unknown }) | null
  readonly webhook: WebhookNote | null
  readonly events: readonly EventEnvelope[]
}

/** A client's key for one command, scoped to user and route, with the hash of what it asked for. */
export interface IdempotencyKey {
  readonly userId: string
  readonly route: string
  readonly key: string
  readonly inputHash: Buffer
}

/** A provider's event that a change answers, and the charge it names. */
export interface WebhookNote {
  readonly eventId: string
  readonly kind: string
  readonly chargeId: string | null
}

/** The parameters of `WRITE`, a column an array. */
export function writeValues(writes: readonly Write[]): unknown[] {
  const rows = writes.map(w => ({ ...w, id: w.transaction.id }))
  const keyed = rows.flatMap(({ id, keyed }) => (keyed ? [{ id, ...keyed }] : []))
  const heard = rows.flatMap(({ id, webhook }) => (webhook ? [{ id, ...webhook }] : []))
  const paid = rows.flatMap(r => (r.change.settles ? [{ ...r, ...r.change.settles }] : []))
  const entries = rows.flatMap(r => r.change.journal.map(entry => ({ id: r.id, entryId: newId(), ...entry })))
  const postings = entries.flatMap(e => e.postings.map((p, i) => ({ id: e.id, entryId: e.entryId, n: i + 1, ...p })))
  const told = rows.flatMap(r => r.change.timeline.map(fact => ({ id: r.id, actor: r.by, ...fact })))
  const clocked = rows.flatMap(r => r.change.clockEntries.map(c => ({ id: r.id, actor: r.by, ...c })))
  const accepted = rows.flatMap(r => (r.change.acceptance ? [{ id: r.id, ...r.change.acceptance }] : []))
  const refunds = rows.flatMap(r => (r.change.refund ? [{ transactionId: r.id, ...r.change.refund }] : []))
  return [
    rows.map(r => r.id),
    rows.map(r => r.transaction.version),
    rows.map(r => r.change.status),
    rows.map(r => r.change.holdDeltaMinor),
    rows.map(r => r.change.clock?.kind ?? null),
    rows.map(r => r.change.clock?.dueAt ?? null),
    rows.map(r => (r.change.frozen ? JSON.stringify(r.change.frozen) : null)),
    rows.map(r => r.at),
    rows.map(r => (r.change.settles?.stray === false ? r.at : null)),
    rows.map(r => r.change.shipment?.trackingNumber ?? null),
    rows.map(r => r.change.shipment?.carrier ?? null),
    keyed.map(k => k.id),
    keyed.map(k => k.userId),
    keyed.map(k => k.route),
    keyed.map(k => k.key),
    keyed.map(k => k.inputHash),
    keyed.map(k => JSON.stringify(k.answer)),
    heard.map(h => h.id),
    heard.map(h => h.eventId),
    heard.map(h => h.kind),
    paid.map(p => p.id),
    paid.map(p => p.paymentId),
    paid.map(p => p.webhook?.chargeId ?? null),
    paid.map(p => p.stray),
    entries.map(e => e.id),
    entries.map(e => e.entryId),
    entries.map(e => e.kind),
    postings.map(p => p.id),
    postings.map(p => p.entryId),
    postings.map(p => p.n),
    postings.map(p => p.debit),
    postings.map(p => p.credit),
    postings.map(p => p.amountMinor),
    told.map(f => f.id),
    told.map(() => newId()),
    told.map(f => f.kind),
    told.map(f => f.status),
    told.map(f => f.actor),
    clocked.map(c => c.id),
    clocked.map(() => newId()),
    clocked.map(c => c.clock),
    clocked.map(c => c.change),
    clocked.map(c => c.cause),
    clocked.map(c => c.actor),
    clocked.map(c => c.dueAt),
    accepted.map(a => a.id),
    accepted.map(a => a.party),
    accepted.map(a => a.by),
    refunds.map(r => r.transactionId),
    refunds.map(r => r.id),
    refunds.map(r => r.paymentId),
    refunds.map(r => r.amountMinor),
    ...outboxValues(writes.flatMap(w => w.events)),
  ]
}

/** A row of one of the reads. A deal that is not there comes as nulls, since the answer has a row per question. */
export interface DealRow {
  id: bigint | null
  version: number
  status: DealStatus
  listing_id: bigint
  title: string
  buyer_id: string
  seller_id: string
  currency: Currency
  price_minor: bigint
  buyer_fee_minor: bigint
  seller_fee_minor: bigint
  hold_minor: bigint
  inspection_days: number
  paid_at: Date | null
  tracking_number: string | null
  carrier: string | null
  clock: Clock | null
  due_at: Date | null
  frozen: Frozen | null
}

export function toDeal(row: DealRow): Deal {
  return {
    id: Number(row.id),
    version: row.version,
    status: row.status,
    listingId: Number(row.listing_id),
    title: row.title,
    buyerId: row.buyer_id,
    sellerId: row.seller_id,
    currency: row.currency,
    priceMinor: row.price_minor,
    buyerFeeMinor: row.buyer_fee_minor,
    sellerFeeMinor: row.seller_fee_minor,
    holdMinor: row.hold_minor,
    inspectionDays: row.inspection_days,
    paidAt: row.paid_at,
    trackingNumber: row.tracking_number,
    carrier: row.carrier,
    clock: row.clock && row.due_at ? { kind: row.clock, dueAt: row.due_at } : null,
    frozen: row.frozen,
  }
}
