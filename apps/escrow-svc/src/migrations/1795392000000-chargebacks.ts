import type { MigrationInterface, QueryRunner } from 'typeorm'

// The values are those of the time when this migration was written: an applied migration never changes.
const ENTRY_KINDS = [
  'charge',
  'provider_fee',
  'stray_payment',
  'release',
  'refund',
  'refund_confirmed',
  'stray_refund_confirmed',
  'refund_returned',
  'stray_refund_returned',
  'chargeback_opened',
  'chargeback_won',
  'chargeback_lost',
]
const ACCOUNT = `'^(provider_clearing|provider_costs|custodian_cash|hold|seller_payable|revenue|refund_due|unapplied|chargeback_receivable)(:[0-9a-f-]+)?$'`

/** Replaces a check by a wider one. The rows are read without blocking writes. */
const widen = (table: string, name: string, check: string) => [
  `ALTER TABLE escrow.${table} DROP CONSTRAINT ${name}`,
  `ALTER TABLE escrow.${table} ADD CONSTRAINT ${name} CHECK (${check}) NOT VALID`,
  `ALTER TABLE escrow.${table} VALIDATE CONSTRAINT ${name}`,
]

const STATEMENTS = [
  'ALTER TABLE escrow.transaction ADD COLUMN charged_back_minor bigint NOT NULL DEFAULT 0 CHECK (charged_back_minor >= 0)',
  // The balances add up to what the buyer paid, to the cent. Before the payment they are zero.
  ...widen(
    'transaction',
    'transaction_check5',
    `hold_minor + released_minor + refunded_minor + revenue_minor + charged_back_minor
       = CASE WHEN paid_at IS NULL THEN 0 ELSE price_minor + buyer_fee_minor END`,
  ),
  // A deal that goes on holds all that was paid. A stopped one has released nothing.
  ...widen(
    'transaction',
    'transaction_check7',
    `(status NOT IN ('paid', 'in_progress', 'shipped', 'delivered', 'inspection')
        OR hold_minor = price_minor + buyer_fee_minor)
      AND (status <> 'disputed' OR (hold_minor > 0 AND released_minor = 0 AND revenue_minor = 0))`,
  ),
  ...widen('journal_entry', 'journal_entry_kind_check', `kind IN (${ENTRY_KINDS.map(kind => `'${kind}'`).join(', ')})`),
  ...widen('posting', 'posting_debit_check', `debit ~ ${ACCOUNT}`),
  ...widen('posting', 'posting_credit_check', `credit ~ ${ACCOUNT}`),
  // Each chargeback by the provider's id.
  `CREATE TABLE escrow.chargeback (
    id text PRIMARY KEY,
    transaction_id bigint NOT NULL REFERENCES escrow.transaction,
    payment_id uuid NOT NULL REFERENCES escrow.payment,
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    currency text NOT NULL,
    status text NOT NULL CHECK (status IN ('inquiry', 'open', 'won', 'lost')),
    withdrawn boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  )`,
  // Events of types that no code handles are kept, so that an operator sees them.
  'ALTER TABLE escrow.webhook_event ADD COLUMN handled boolean NOT NULL DEFAULT true',
  'CREATE INDEX webhook_event_unhandled ON escrow.webhook_event (kind) WHERE NOT handled',
  'CREATE INDEX chargeback_transaction ON escrow.chargeback (transaction_id)',
]

/** Chargebacks, the balance of a deal that its buyer's bank took back, and the provider's events that no code handles. */
export class Chargebacks1795392000000 implements MigrationInterface {
  readonly name = 'Chargebacks1795392000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}
