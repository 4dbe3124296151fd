import type { MigrationInterface, QueryRunner } from 'typeorm'
import { allowEntryKind } from './allow-entry-kind.js'

const STATEMENTS = [
  // The next migration validates the check for older rows: in this dbTx, which locks the table, every write would wait for that.
  allowEntryKind('account_fee'),
  // The provider's fees that belong to no charge, by the provider's id of the movement. Each was posted in the dbTx that added its row.
  `CREATE TABLE escrow.account_fee (
    id text PRIMARY KEY,
    type text NOT NULL,
    -- Below zero when the provider returned it.
    amount_minor bigint NOT NULL CHECK (amount_minor <> 0),
    currency text NOT NULL,
    -- The provider's time.
    taken_at timestamptz NOT NULL
  )`,
  // Whether an event is kept because it does not fit what is stored, and not because no code handles its type.
  'ALTER TABLE escrow.webhook_event ADD COLUMN is_unfitting boolean NOT NULL DEFAULT false',
  // When the books are checked next, and what the last check found. There is one row.
  `CREATE TABLE escrow.books_check (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    due_at timestamptz NOT NULL DEFAULT now() + interval '1 day',
    -- Until the first check, the time of this migration.
    checked_at timestamptz NOT NULL DEFAULT now(),
    broken_rules int NOT NULL DEFAULT 0
  )`,
  'INSERT INTO escrow.books_check DEFAULT VALUES',
]

/** What the daily checks keep: the provider's fees of our account, which events did not fit, and the last check of the books. */
export class DailyChecks1799785000800 implements MigrationInterface {
  readonly name = 'DailyChecks1799785000800'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}
