import type { MigrationInterface, QueryRunner } from 'typeorm'
import { allowEntryKind } from './allow-entry-kind.js'

const STATEMENTS = [
  // The next migration validates the check for older rows: in this dbTx, which locks the table, every write would wait for that.
  allowEntryKind('chargeback_returned'),
  // The provider's time of the latest message about a chargeback. The release before this one does not write it.
  'ALTER TABLE escrow.chargeback ADD COLUMN as_of timestamptz',
]

/** Lets a bank decide a second time about a chargeback. */
export class SecondBankDecisions1799785001000 implements MigrationInterface {
  readonly name = 'SecondBankDecisions1799785001000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}
