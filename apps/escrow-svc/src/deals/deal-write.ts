/**
 * The write of the money path: one statement for everything that a command changes. Commands that wait while a statement is
 * running share the next one. It updates the deal's row only if its version is still the one that was read, and every other
 * row is joined to that update: for a deal that has changed since, nothing is written. The end of a clock is written only if
 * the clock is due by the database's time.
 */
import type { EventEnvelope } from '@holdfast/contracts/events'
import { outboxInsert } from '@holdfast/events/outbox/outbox'
import { newId } from '@holdfast/kernel/ids'
import { BatchStatement, type Columns, type Insert, type Row } from '@holdfast/service-kit/database/batch-statement'
import { type IdempotencyKey, idempotencyRow } from '@holdfast/service-kit/idempotency/idempotency'
import { IDEMPOTENCY_COLUMNS } from '@holdfast/service-kit/idempotency/idempotency-table'
import type { JournalEntry } from '../ledger/domain/journal.js'
import { CLOCKS_END_UNTIL } from './deal-row.js'
import { type Change, type ChangedBy, CLOCK_ACTOR, type Deal } from './domain/deal.js'

/** Everything that one command writes. */
export interface Write {
  readonly deal: Deal
  readonly change: Change
  readonly by: ChangedBy
  readonly at: Date
  /** The client's idempotency key and the answer to keep for it. */
  readonly answered: { readonly key: IdempotencyKey; readonly answer: unknown } | null
  readonly webhook: WebhookEvent | null
  /** When the provider's fee of a charge is read; null when the change records no charge. */
  readonly feeDueAt: Date | null
  /** The change's journal entries with the ids they are written under. */
  readonly entries: readonly (JournalEntry & { readonly id: string })[]
  readonly events: readonly EventEnvelope[]
}

/** An event of the provider that causes a change, and the charge it names. */
export interface WebhookEvent {
  readonly id: string
  /** The event's type, or `retrieved` when we asked the provider for the intent. */
  readonly kind: string
  readonly chargeId: string | null
}

/** An insert of rows that belong to the deals of the batch. The join drops the rows of a deal whose update did not match. */
type DealInsert<C extends Columns> = Omit<Insert<Write, C, { deal_id: 'bigint' }>, 'keys' | 'join' | 'rows'> & {
  readonly rows: (write: Write) => readonly Row<C>[]
}
const ofDeal = <C extends Columns>({ rows, ...insert }: DealInsert<C>): Insert<Write, C, { deal_id: 'bigint' }> => ({
  ...insert,
  keys: { deal_id: 'bigint' },
  join: 'deal ON deal.id = row.deal_id',
  rows: write => rows(write).map(row => ({ ...row, deal_id: write.deal.id }) as Row<C & { deal_id: 'bigint' }>),
})

const CHANGE_COLUMNS = {
  id: 'bigint',
  version: 'int',
  status: 'text',
  hold: 'bigint',
  released: 'bigint',
  refunded: 'bigint',
  revenue: 'bigint',
  charged_back: 'bigint',
  platform_fee: 'bigint',
  processing_fee: 'bigint',
  settled_payment_id: 'uuid',
  paid_at: 'timestamptz',
  clock: 'text',
  due_at: 'timestamptz',
  frozen: 'jsonb',
  ended_dispute: 'bigint',
  tracking_number: 'text',
  carrier: 'text',
  at: 'timestamptz',
  only_when_due: 'boolean',
} as const

function changeRow({ deal, change, by, at }: Write): Row<typeof CHANGE_COLUMNS> {
  const settled = change.settles?.stray === false ? change.settles.paymentId : null
  return {
    id: deal.id,
    version: deal.version,
    status: change.status,
    hold: change.effect.holdMinor,
    released: change.effect.releasedMinor,
    refunded: change.effect.refundedMinor,
    revenue: change.effect.revenueMinor,
    charged_back: change.effect.chargedBackMinor,
    platform_fee: change.buyerFees?.platformFeeMinor ?? null,
    processing_fee: change.buyerFees?.processingFeeMinor ?? null,
    settled_payment_id: settled,
    paid_at: settled && at,
    clock: change.clock?.kind ?? null,
    due_at: change.clock?.dueAt ?? null,
    frozen: change.frozen && JSON.stringify(change.frozen),
    ended_dispute: change.endedDispute ?? null,
    tracking_number: change.shipment?.trackingNumber ?? null,
    carrier: change.shipment?.carrier ?? null,
    at,
    // The end of a clock is written only if the clock is due by the database's time, at the moment of the write.
    only_when_due: by === CLOCK_ACTOR,
  }
}

const REFUND_COLUMNS = {
  id: 'uuid',
  payment_id: 'uuid',
  amount_minor: 'bigint',
  status: 'text',
  origin: 'text',
  provider_refund_id: 'text',
} as const

/** The refund that a change orders, or what it records of one that was made at the provider. */
function refundRows({ change: { refund, providerRefund } }: Write): Row<typeof REFUND_COLUMNS>[] {
  const rows = [
    ...(refund ? [{ ...refund, status: 'due', origin: 'us', providerRefundId: null }] : []),
    ...(providerRefund ? [providerRefund] : []),
  ]
  return rows.map(row => ({
    id: row.id,
    payment_id: row.paymentId,
    amount_minor: row.amountMinor,
    status: row.status,
    origin: row.origin,
    provider_refund_id: row.providerRefundId,
  }))
}

export const WRITE = new BatchStatement<Write>(
  'deal_write',
  part => `WITH deal AS (
  UPDATE escrow.transaction d SET version = d.version + 1, status = x.status, hold_minor = d.hold_minor + x.hold,
    released_minor = d.released_minor + x.released, refunded_minor = d.refunded_minor + x.refunded,
    revenue_minor = d.revenue_minor + x.revenue, charged_back_minor = d.charged_back_minor + x.charged_back,
    platform_fee_minor = coalesce(x.platform_fee, d.platform_fee_minor),
    processing_fee_minor = coalesce(x.processing_fee, d.processing_fee_minor),
    buyer_fee_minor = coalesce(x.platform_fee + x.processing_fee, d.buyer_fee_minor),
    settled_payment_id = coalesce(d.settled_payment_id, x.settled_payment_id), paid_at = coalesce(d.paid_at, x.paid_at),
    clock = x.clock, due_at = x.due_at, frozen = x.frozen,
    ended_disputes = CASE WHEN x.ended_dispute IS NULL THEN d.ended_disputes ELSE d.ended_disputes || x.ended_dispute END,
    tracking_number = coalesce(x.tracking_number, d.tracking_number),
    carrier = CASE WHEN x.tracking_number IS NULL THEN d.carrier ELSE x.carrier END,
    expected_delivery = CASE WHEN x.tracking_number IS NULL THEN d.expected_delivery END, updated_at = x.at
  FROM ${part.rows('x', CHANGE_COLUMNS, write => [changeRow(write)])}
  WHERE d.id = x.id AND d.version = x.version AND (NOT x.only_when_due OR d.due_at <= ${CLOCKS_END_UNTIL})
  RETURNING d.id, d.version, d.currency, d.terms_version, d.terms_hash, d.buyer_id, d.seller_id, x.at
), idempotency_rows AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.idempotency_key',
      columns: IDEMPOTENCY_COLUMNS,
      rows: ({ answered }) => (answered ? [idempotencyRow(answered.key, answered.answer)] : []),
      joined: { created_at: 'deal.at' },
    }),
  )}
), webhook_events AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.webhook_event',
      columns: { id: 'text', kind: 'text' },
      rows: ({ webhook }) => (webhook ? [{ id: webhook.id, kind: webhook.kind }] : []),
      joined: { received_at: 'deal.at' },
    }),
  )}
), settled_payments AS (
  UPDATE escrow.payment p SET status = 'succeeded', charge_id = x.charge_id, stray = x.stray,
    fee_due_at = x.fee_due_at, updated_at = deal.at
  FROM ${part.rows(
    'x',
    { deal_id: 'bigint', payment_id: 'uuid', charge_id: 'text', stray: 'boolean', fee_due_at: 'timestamptz' },
    ({ deal, change: { settles }, webhook, feeDueAt }) =>
      settles
        ? [
            {
              deal_id: deal.id,
              payment_id: settles.paymentId,
              charge_id: webhook?.chargeId ?? null,
              stray: settles.stray,
              fee_due_at: feeDueAt,
            },
          ]
        : [],
  )}
  JOIN deal ON deal.id = x.deal_id WHERE p.id = x.payment_id
), journal_entries AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.journal_entry',
      columns: { id: 'uuid', kind: 'text' },
      rows: ({ entries }) => entries,
      joined: { transaction_id: 'deal.id', at: 'deal.at' },
    }),
  )}
), postings AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.posting',
      columns: { entry_id: 'uuid', n: 'smallint', debit: 'text', credit: 'text', amount_minor: 'bigint' },
      rows: ({ entries }) =>
        entries.flatMap(({ id, postings }) =>
          postings.map(({ debit, credit, amountMinor }, i) => ({
            entry_id: id,
            n: i + 1,
            debit,
            credit,
            amount_minor: amountMinor,
          })),
        ),
      joined: { currency: 'deal.currency' },
    }),
  )}
), timeline_rows AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.timeline',
      columns: { id: 'uuid', kind: 'text', status: 'text', actor: 'text', reason: 'text' },
      rows: ({ change, by }) =>
        change.timeline.map(({ kind, status, reason = null }) => ({ id: newId(), kind, status, actor: by, reason })),
      joined: { transaction_id: 'deal.id', version: 'deal.version', at: 'deal.at' },
    }),
  )}
), clock_entries AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.clock_entry',
      columns: { id: 'uuid', clock: 'text', change: 'text', cause: 'text', actor: 'text', due_at: 'timestamptz' },
      rows: ({ change, by }) =>
        change.clockEntries.map(({ clock, change, cause, dueAt }) => ({
          id: newId(),
          clock,
          change,
          cause,
          actor: by,
          due_at: dueAt,
        })),
      joined: { transaction_id: 'deal.id', version: 'deal.version', at: 'deal.at' },
    }),
  )}
), acceptances AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.acceptance',
      columns: { party: 'text', by: 'text' },
      rows: ({ change: { acceptance } }) => (acceptance ? [acceptance] : []),
      joined: {
        transaction_id: 'deal.id',
        user_id: `CASE row.party WHEN 'buyer' THEN deal.buyer_id ELSE deal.seller_id END`,
        terms_version: 'deal.terms_version',
        terms_hash: 'deal.terms_hash',
        at: 'deal.at',
      },
      onConflict: 'DO NOTHING',
    }),
  )}
), refunds AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.refund',
      columns: REFUND_COLUMNS,
      rows: refundRows,
      joined: {
        transaction_id: 'deal.id',
        currency: 'deal.currency',
        // Our own refund is to be sent now. The provider is asked about one that was made by hand and is not final.
        due_at: `CASE WHEN row.status IN ('due', 'sent') THEN deal.at END`,
        created_at: 'deal.at',
        updated_at: 'deal.at',
      },
      onConflict:
        '(id) DO UPDATE SET status = excluded.status, amount_minor = excluded.amount_minor, due_at = excluded.due_at, updated_at = excluded.updated_at',
    }),
  )}
), chargebacks AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.chargeback',
      columns: {
        id: 'text',
        payment_id: 'uuid',
        amount_minor: 'bigint',
        currency: 'text',
        status: 'text',
        withdrawn: 'boolean',
        as_of: 'timestamptz',
      },
      rows: ({ change: { chargeback } }) =>
        chargeback
          ? [
              {
                id: chargeback.id,
                payment_id: chargeback.paymentId,
                amount_minor: chargeback.amountMinor,
                currency: chargeback.currency,
                status: chargeback.status,
                withdrawn: chargeback.withdrawn,
                as_of: chargeback.asOf,
              },
            ]
          : [],
      joined: {
        transaction_id: 'deal.id',
        created_at: 'deal.at',
        updated_at: 'deal.at',
      },
      onConflict: `(id) DO UPDATE SET status = excluded.status, withdrawn = excluded.withdrawn,
        amount_minor = excluded.amount_minor, currency = excluded.currency, as_of = excluded.as_of,
        updated_at = CASE chargeback.status WHEN excluded.status THEN chargeback.updated_at ELSE excluded.updated_at END`,
    }),
  )}
), parcels AS (
  ${part.insert(
    ofDeal({
      table: 'escrow.parcel',
      columns: { tracking_number: 'text', carrier: 'text' },
      rows: ({ change: { shipment } }) =>
        shipment ? [{ tracking_number: shipment.trackingNumber, carrier: shipment.carrier }] : [],
      joined: { transaction_id: 'deal.id', saved_at: 'deal.at', poll_at: 'deal.at' },
      // A corrected number is another parcel, so the first parcel's tracking data is dropped.
      onConflict: `(transaction_id) DO UPDATE SET tracking_number = excluded.tracking_number, carrier = excluded.carrier,
        saved_at = excluded.saved_at, poll_at = excluded.poll_at, tracker_id = NULL, status = NULL,
        status_description = NULL, location = NULL, estimated_delivery = NULL, last_update = NULL, delivered_at = NULL,
        counted_scan = NULL, attempts = 0`,
    }),
  )}
), outbox_rows AS (
  ${part.insert(outboxInsert('escrow.outbox', ({ events }: Write) => events, 'deal ON deal.id = event.key::bigint'))}
) SELECT id FROM deal`,
)
