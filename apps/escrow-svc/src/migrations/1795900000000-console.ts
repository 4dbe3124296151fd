import { adminActTable } from '@holdfast/service-kit/audit/admin-act-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  ...adminActTable('escrow'),
  // What an admin asked for that needs a second one. Amounts are minor units.
  `CREATE TABLE escrow.admin_request (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    subject text NOT NULL,
    input jsonb NOT NULL,
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    currency text NOT NULL,
    reason text NOT NULL CHECK (reason <> ''),
    asked_by uuid NOT NULL,
    asked_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'approved', 'rejected', 'expired')),
    decided_by uuid,
    decided_at timestamptz,
    decision_reason text,
    CHECK ((state IN ('waiting', 'expired')) = (decided_by IS NULL)),
    CHECK ((decided_by IS NULL) = (decided_at IS NULL)),
    -- Nobody approves what they asked for themselves.
    CHECK (state <> 'approved' OR decided_by <> asked_by)
  )`,
  `CREATE INDEX admin_request_waiting ON escrow.admin_request (id) WHERE state = 'waiting'`,
  // An adjustment belongs to no deal.
  'ALTER TABLE escrow.journal_entry ALTER COLUMN transaction_id DROP NOT NULL',
  // The list of the migrations before this one, and one word more. It is read, so that none of their words is lost.
  `DO $$
   DECLARE words text;
   BEGIN
     SELECT string_agg(word[1], ', ') INTO words FROM pg_constraint c,
       regexp_matches(pg_get_constraintdef(c.oid), '''[a-z_]+''', 'g') word
      WHERE c.conrelid = 'escrow.journal_entry'::regclass AND c.conname = 'journal_entry_kind_check';
     ALTER TABLE escrow.journal_entry DROP CONSTRAINT journal_entry_kind_check;
     EXECUTE format('ALTER TABLE escrow.journal_entry ADD CONSTRAINT journal_entry_kind_check
       CHECK (kind IN (%s, ''adjustment'')) NOT VALID', words);
   END $$`,
  'ALTER TABLE escrow.journal_entry VALIDATE CONSTRAINT journal_entry_kind_check',
]

/** The acts of admins, what waits for a second admin, and entries that an operator posts by hand. */
export class Console1795900000000 implements MigrationInterface {
  readonly name = 'Console1795900000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}
