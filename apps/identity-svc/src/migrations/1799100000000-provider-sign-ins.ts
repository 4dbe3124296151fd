import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // An account at a provider is known by issuer and subject (OpenID Connect Core 1.0, section 5.7): its e-mail address may change.
  `CREATE TABLE provider_account (
    issuer text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL REFERENCES users (id),
    linked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (issuer, subject)
  )`,
  'CREATE INDEX provider_account_by_user ON provider_account (user_id)',
  `CREATE TABLE provider_sign_in (
    state_hash bytea PRIMARY KEY CHECK (octet_length(state_hash) = 32),
    secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
    provider text NOT NULL CHECK (provider IN ('google', 'apple', 'microsoft')),
    nonce text NOT NULL,
    code_verifier text NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX provider_sign_in_by_expiry ON provider_sign_in (expires_at)',
]

/** The accounts at providers with which users sign in, and the sign-ins there that have begun. */
export class ProviderSignIns1799100000000 implements MigrationInterface {
  readonly name = 'ProviderSignIns1799100000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE provider_sign_in, provider_account')
  }
}
