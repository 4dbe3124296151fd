import type { MigrationInterface, QueryRunner } from 'typeorm'

const KINDS = [
  'charge',
  'provider_fee',
  'stray_payment',
  'release',
  'refund',
  'refund_confirmed',
  'stray_refund_confirmed',
  'refund_returned',
  'stray_refund_returned',
]

/** The ledger learns that a refund can come back. */
export class ReturnedRefunds1764000000002 implements MigrationInterface {
  readonly name = 'ReturnedRefunds1764000000002'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE escrow.journal_entry DROP CONSTRAINT journal_entry_kind_check,
      ADD CONSTRAINT journal_entry_kind_check CHECK (kind IN (${KINDS.map(kind => `'${kind}'`).join(', ')}))`)
  }

  async down(): Promise<void> {
    throw new Error('the ledger never forgets a kind of entry: restore a backup instead')
  }
}
