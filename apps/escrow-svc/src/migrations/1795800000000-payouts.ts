import type { MigrationInterface, QueryRunner } from 'typeorm'

// The values are those of the time when this migration was written: an applied migration never changes.
const NEW_ENTRY_KINDS = [
  'chargeback_fee',
  'chargeback_fee_returned',
  'payout_sent',
  'payout_paid',
  'payout_returned',
  'provider_payout',
  'provider_payout_failed',
]

const STATEMENTS = [
  // A payout carries many deals, and a payout of the provider to us none.
  'ALTER TABLE escrow.journal_entry ALTER COLUMN transaction_id DROP NOT NULL',
  // One row for each user: payouts of a seller lock it. The provider's account is made when the seller asks for it.
  `CREATE TABLE escrow.payout_account (
    user_id uuid PRIMARY KEY,
    is_verified boolean NOT NULL DEFAULT false,
    -- The time of the event from which is_verified was read.
    known_at timestamptz NOT NULL DEFAULT '-infinity',
    provider_account_id text UNIQUE,
    status text NOT NULL DEFAULT 'none' CHECK (status IN ('none', 'onboarding', 'ready', 'restricted')),
    reason text,
    bank_label text,
    attempt int NOT NULL DEFAULT 1 CHECK (attempt > 0),
    asked_at timestamptz,
    next_payout_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK ((provider_account_id IS NULL) = (status = 'none'))
  ) WITH (fillfactor = 80)`,
  'CREATE INDEX payout_account_due ON escrow.payout_account (next_payout_at) WHERE next_payout_at IS NOT NULL',
  `CREATE TABLE escrow.payout (
    id uuid PRIMARY KEY,
    seller_id uuid NOT NULL REFERENCES escrow.payout_account,
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    currency text NOT NULL,
    status text NOT NULL CHECK (status IN ('scheduled', 'in_transit', 'paid', 'returned')),
    provider_account_id text NOT NULL,
    bank_label text,
    transfer_id text UNIQUE,
    transferred_at timestamptz,
    provider_payout_id text UNIQUE,
    -- When our balance at the provider had the money again.
    reversed_at timestamptz,
    -- Counts the idempotency keys under which the present step was sent, and the attempts.
    send_attempt int NOT NULL DEFAULT 1 CHECK (send_attempt > 0),
    attempts int NOT NULL DEFAULT 0,
    last_error text,
    failure text,
    due_at timestamptz,
    created_at timestamptz NOT NULL,
    arrived_at timestamptz,
    updated_at timestamptz NOT NULL,
    CHECK (status NOT IN ('in_transit', 'paid') OR provider_payout_id IS NOT NULL),
    CHECK (status <> 'returned' OR (failure IS NOT NULL AND (transfer_id IS NULL) = (reversed_at IS NULL)))
  ) WITH (fillfactor = 80)`,
  'CREATE INDEX payout_seller ON escrow.payout (seller_id, id DESC)',
  'CREATE INDEX payout_due ON escrow.payout (due_at) WHERE due_at IS NOT NULL',
  // What of a deal each payout carries. A chargeback that a later sale repays is negative.
  `CREATE TABLE escrow.payout_deal (
    payout_id uuid NOT NULL REFERENCES escrow.payout,
    transaction_id bigint NOT NULL REFERENCES escrow.transaction,
    amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
    PRIMARY KEY (payout_id, transaction_id)
  )`,
  'CREATE INDEX payout_deal_transaction ON escrow.payout_deal (transaction_id)',
  // The provider's payouts into our own bank account.
  `CREATE TABLE escrow.provider_payout (
    id text PRIMARY KEY,
    -- Below zero when the provider takes money from our bank account.
    amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
    currency text NOT NULL,
    status text NOT NULL CHECK (status IN ('in_transit', 'paid', 'failed')),
    created_at timestamptz NOT NULL,
    failed_at timestamptz,
    updated_at timestamptz NOT NULL
  )`,
  // The provider's fee of a chargeback as it was posted, and how many of the provider's movements it was read from.
  `ALTER TABLE escrow.chargeback ADD COLUMN fee_minor bigint NOT NULL DEFAULT 0,
     ADD COLUMN fee_movements int NOT NULL DEFAULT 0`,
  // Our books and the provider's, for each day that was compared.
  `CREATE TABLE escrow.provider_day (
    day timestamptz NOT NULL,
    currency text NOT NULL,
    provider_minor bigint NOT NULL,
    ledger_minor bigint NOT NULL,
    compared_at timestamptz NOT NULL,
    PRIMARY KEY (day, currency)
  )`,
]

/** Payouts of sellers, the provider's payouts to us, its fees of chargebacks, and the comparison of its books with ours. */
export class Payouts1795800000000 implements MigrationInterface {
  readonly name = 'Payouts1795800000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await allowMore(queryRunner, 'journal_entry', 'journal_entry_kind_check', NEW_ENTRY_KINDS)
    await allowMore(queryRunner, 'posting', 'posting_debit_check', ['payout_in_transit'])
    await allowMore(queryRunner, 'posting', 'posting_credit_check', ['payout_in_transit'])
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}

/**
 * Replaces a check by one that allows more words, and keeps those that it allows now. The rows are read without blocking
 * writes.
 */
async function allowMore(queryRunner: QueryRunner, table: string, name: string, words: string[]): Promise<void> {
  const [row] = (await queryRunner.query(
    'SELECT pg_get_constraintdef(oid) AS check FROM pg_constraint WHERE conrelid = $1::regclass AND conname = $2',
    [`escrow.${table}`, name],
  )) as { check: string }[]
  const before = row!.check
  const [pattern, kinds] = /\^\(([\w|]+)\)/.exec(before) ?? []
  const added = pattern
    ? before.replace(pattern, `^(${[...new Set([...kinds!.split('|'), ...words])].join('|')})`)
    : `CHECK (kind IN (${[...new Set([...before.matchAll(/'([^']*)'::text/g)].map(([, word]) => word!).concat(words))]
        .map(word => `'${word}'`)
        .join(', ')}))`
  await queryRunner.query(`ALTER TABLE escrow.${table} DROP CONSTRAINT ${name}`)
  await queryRunner.query(`ALTER TABLE escrow.${table} ADD CONSTRAINT ${name} ${added} NOT VALID`)
  await queryRunner.query(`ALTER TABLE escrow.${table} VALIDATE CONSTRAINT ${name}`)
}
