import type { MigrationInterface, QueryRunner } from 'typeorm'

// The values are those of the time when this migration was written: an applied migration never changes.
const ACCOUNT = `'^(provider_clearing|crypto_clearing|provider_costs|custodian_cash|hold|seller_payable|revenue|refund_due|unapplied|chargeback_receivable|payout_in_transit)(:[0-9a-f-]+)?$'`

/**
 * Replaces a check by a wider one. It holds for new rows at once. A later migration reads the others: in this dbTx, which locks the table,
 * every write would wait for that.
 */
const widen = (name: string, column: string) => [
  `ALTER TABLE escrow.posting DROP CONSTRAINT ${name}`,
  `ALTER TABLE escrow.posting ADD CONSTRAINT ${name} CHECK (${column} ~ ${ACCOUNT}) NOT VALID`,
]

const STATEMENTS = [
  ...widen('posting_debit_check', 'debit'),
  ...widen('posting_credit_check', 'credit'),
  // What a payment in cryptocurrency has besides its row in `payment`. Amounts are in the asset's smallest unit: Ether has 18 decimals.
  `CREATE TABLE escrow.crypto_payment (
    payment_id uuid PRIMARY KEY REFERENCES escrow.payment,
    asset text NOT NULL CHECK (asset IN ('bitcoin', 'ethereum', 'usdc', 'usdt')),
    asset_units numeric(40, 0) NOT NULL CHECK (asset_units > 0),
    deposit_address text NOT NULL,
    payment_uri text NOT NULL,
    wallet_address text NOT NULL,
    expires_at timestamptz NOT NULL,
    -- What the processor says of the transactions to the address, the oldest first.
    transfers jsonb NOT NULL DEFAULT '[]',
    -- What the processor has credited to us, in minor units of the payment's currency: less its fee.
    credited_minor bigint CHECK (credited_minor >= 0),
    -- When the processor is asked next; null when nothing can come any more.
    ask_due_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  ) WITH (fillfactor = 80)`,
  'CREATE INDEX crypto_payment_due ON escrow.crypto_payment (ask_due_at) WHERE ask_due_at IS NOT NULL',
  // Each withdrawal is written down before the processor is asked for it, because it has no idempotency key.
  `CREATE TABLE escrow.crypto_withdrawal (
    order_id text PRIMARY KEY,
    refund_id uuid NOT NULL REFERENCES escrow.refund,
    provider_id text UNIQUE,
    begun_at timestamptz NOT NULL
  )`,
]

/** Payments in cryptocurrency, the balance at their processor, and the withdrawals with which they are refunded. */
export class CryptoPayments1799710000000 implements MigrationInterface {
  readonly name = 'CryptoPayments1799710000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('payments are never dropped: restore a backup instead')
  }
}
