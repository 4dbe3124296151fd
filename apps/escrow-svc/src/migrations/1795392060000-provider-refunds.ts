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
  'provider_refund',
  'provider_refund_failed',
]

const STATEMENTS = [
  'ALTER TABLE escrow.journal_entry DROP CONSTRAINT journal_entry_kind_check',
  `ALTER TABLE escrow.journal_entry ADD CONSTRAINT journal_entry_kind_check
     CHECK (kind IN (${ENTRY_KINDS.map(kind => `'${kind}'`).join(', ')})) NOT VALID`,
  'ALTER TABLE escrow.journal_entry VALIDATE CONSTRAINT journal_entry_kind_check',
  'ALTER TABLE escrow.refund DROP CONSTRAINT refund_status_check',
  `ALTER TABLE escrow.refund ADD CONSTRAINT refund_status_check
     CHECK (status IN ('due', 'sent', 'confirmed', 'failed', 'void'))`,
  `ALTER TABLE escrow.refund ADD COLUMN origin text NOT NULL DEFAULT 'us'
     CHECK (origin IN ('us', 'provider', 'provider_late'))`,
  // We refund a payment at most once. Operators may do so at the provider, in parts.
  'DROP INDEX escrow.refund_payment',
  `CREATE UNIQUE INDEX refund_own_payment ON escrow.refund (payment_id) WHERE origin = 'us'`,
  'CREATE INDEX refund_payment ON escrow.refund (payment_id)',
]

/** Refunds that operators made at the provider. */
export class ProviderRefunds1795392060000 implements MigrationInterface {
  readonly name = 'ProviderRefunds1795392060000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}
