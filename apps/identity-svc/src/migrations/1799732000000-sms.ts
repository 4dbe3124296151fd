import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // The number that a user confirms, and the code that was texted to it.
  `CREATE TABLE phone (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    number text NOT NULL CHECK (number ~ '^\\+[1-9][0-9]{7,14}$'),
    code_hash bytea,
    code_expires_at timestamptz,
    wrong_codes integer NOT NULL DEFAULT 0,
    confirmed_at timestamptz,
    stopped_at timestamptz,
    CHECK ((code_hash IS NULL) = (code_expires_at IS NULL))
  )`,
  // The outbox of texts. One that waits has a time in due_at; one that has ended has a time in ended_at and its outcome.
  `CREATE TABLE sms (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    number text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('code', 'news')),
    title text,
    path text,
    created_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    provider_id text,
    ended_at timestamptz,
    outcome text CHECK (outcome IN ('sent', 'delivered', 'undelivered', 'refused', 'stopped', 'given_up', 'not_needed')),
    CHECK ((due_at IS NULL) = (ended_at IS NOT NULL)),
    CHECK ((ended_at IS NULL) = (outcome IS NULL))
  )`,
  'CREATE INDEX sms_due ON sms (due_at) WHERE due_at IS NOT NULL',
  'CREATE INDEX sms_ended ON sms (ended_at) WHERE ended_at IS NOT NULL',
]

/** Confirmed phone numbers, and the texts that wait. */
export class Sms1799732000000 implements MigrationInterface {
  readonly name = 'Sms1799732000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE sms, phone')
  }
}
