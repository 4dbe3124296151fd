import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // The check is replaced by one that keeps what it allows now. It holds for new rows at once. The next migration reads the others: in this
  // dbTx, which locks the table, every write would wait for that.
  `DO $$
   DECLARE known text;
   BEGIN
     SELECT string_agg(DISTINCT quote_literal(word[1]), ', ') INTO known
       FROM pg_constraint c, regexp_matches(pg_get_constraintdef(c.oid), '''([^'']*)''::text', 'g') AS word
      WHERE c.conrelid = 'escrow.journal_entry'::regclass AND c.conname = 'journal_entry_kind_check';
     ALTER TABLE escrow.journal_entry DROP CONSTRAINT journal_entry_kind_check;
     EXECUTE format('ALTER TABLE escrow.journal_entry ADD CONSTRAINT journal_entry_kind_check
       CHECK (kind IN (%s, ''chargeback_returned'')) NOT VALID', known);
   END $$`,
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
