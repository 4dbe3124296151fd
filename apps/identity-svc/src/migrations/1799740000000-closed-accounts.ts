import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // `closing_id` names the attempt, and stays when the account is closed. `closing_next_at`: when escrow-svc is asked again.
  `ALTER TABLE users ADD COLUMN closing_id uuid, ADD COLUMN closing_at timestamptz, ADD COLUMN closing_next_at timestamptz,
     ADD COLUMN closed_at timestamptz`,
  `ALTER TABLE users ADD CONSTRAINT users_closing_check CHECK ((closing_id IS NULL) = (closing_at IS NULL)
     AND (closed_at IS NULL OR closing_id IS NOT NULL) AND (closing_next_at IS NULL OR closed_at IS NULL)) NOT VALID`,
  'ALTER TABLE users VALIDATE CONSTRAINT users_closing_check',
  'CREATE INDEX users_closing ON users (closing_next_at) WHERE closing_next_at IS NOT NULL',
  // The usernames of closed accounts: nobody gets one of them again. Only a hash is kept.
  'CREATE TABLE closed_username (name_hash bytea PRIMARY KEY CHECK (octet_length(name_hash) = 32))',
  // From when on the documents of a submission are to be removed, whatever its state.
  'ALTER TABLE verification ADD COLUMN remove_at timestamptz',
  'CREATE INDEX verification_to_remove_at ON verification (remove_at) WHERE remove_at IS NOT NULL AND wrapped_key IS NOT NULL',
  // The addresses of exports that were not used yet.
  `CREATE TABLE data_export (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    user_id uuid NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX data_export_by_expiry ON data_export (expires_at)',
]

/** Accounts that are being closed or are closed, and addresses of exports. */
export class ClosedAccounts1799740000000 implements MigrationInterface {
  readonly name = 'ClosedAccounts1799740000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('accounts may be closed: restore a backup instead')
  }
}
