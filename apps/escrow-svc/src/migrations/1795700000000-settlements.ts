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
  'refund_paid_otherwise',
  'settlement',
]

const STATEMENTS = [
  'ALTER TABLE escrow.journal_entry DROP CONSTRAINT journal_entry_kind_check',
  `ALTER TABLE escrow.journal_entry ADD CONSTRAINT journal_entry_kind_check
     CHECK (kind IN (${ENTRY_KINDS.map(kind => `'${kind}'`).join(', ')})) NOT VALID`,
  'ALTER TABLE escrow.journal_entry VALIDATE CONSTRAINT journal_entry_kind_check',
]

/** The entry that splits a hold at the end of a dispute. */
export class Settlements1795700000000 implements MigrationInterface {
  readonly name = 'Settlements1795700000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}
