import { MAIL_TABLE } from '@holdfast/mail/mail-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  ...MAIL_TABLE,
  // Accounts of before have not confirmed their addresses. They are asked to.
  'ALTER TABLE users ADD COLUMN email_confirmed_at timestamptz',
  `CREATE TABLE mailed_token (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    user_id uuid NOT NULL REFERENCES users (id),
    purpose text NOT NULL CHECK (purpose IN ('confirm_email', 'reset_password')),
    email text NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX mailed_token_by_user ON mailed_token (user_id, purpose)',
  'CREATE INDEX mailed_token_by_expiry ON mailed_token (expires_at)',
]

/** Mails to send, tokens in mailed links, and which addresses are confirmed. */
export class Mails1797000000000 implements MigrationInterface {
  readonly name = 'Mails1797000000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE mailed_token, mail')
    await queryRunner.query('ALTER TABLE users DROP COLUMN email_confirmed_at')
  }
}
