import { eventTables } from '@holdfast/events/migrations'
import { ATTEMPTS_TABLE } from '@holdfast/service-kit/auth/attempts-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const TABLES = [
  // Free space in each page lets total_transactions be updated without touching the indexes (HOT updates).
  `CREATE TABLE users (
    id uuid PRIMARY KEY,
    email text NOT NULL,
    username text NOT NULL,
    password_hash text NOT NULL,
    first_name text NOT NULL,
    last_name text NOT NULL,
    phone_number text,
    avatar text,
    profile_image_url text,
    verification_status text NOT NULL DEFAULT 'pending'
      CHECK (verification_status IN ('pending', 'submitted', 'approved', 'rejected')),
    role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
    plan text NOT NULL DEFAULT 'standard' CHECK (plan IN ('standard', 'premium')),
    rating double precision CHECK (rating BETWEEN 0 AND 5),
    total_transactions integer NOT NULL DEFAULT 0 CHECK (total_transactions >= 0),
    created_at timestamptz NOT NULL
  ) WITH (fillfactor = 85)`,
  // The code uses the names of these two indexes to report whether the e-mail or the username is taken.
  'CREATE UNIQUE INDEX users_email_key ON users (lower(email))',
  'CREATE UNIQUE INDEX users_username_key ON users (lower(username))',
  // For the search: text_pattern_ops supports LIKE 'abc%' with every collation.
  'CREATE INDEX users_username_prefix ON users (lower(username) text_pattern_ops)',
  'CREATE INDEX users_last_name_prefix ON users (lower(last_name) text_pattern_ops)',
  // A first name is the beginning of a full name, so one index serves both.
  `CREATE INDEX users_full_name_prefix ON users (lower(first_name || ' ' || last_name) text_pattern_ops)`,
  `CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    client_ip text,
    user_agent text
  )`,
  'CREATE INDEX sessions_by_user ON sessions (user_id, created_at)',
  ...ATTEMPTS_TABLE,
]

/** Users, their sessions, counters of attempts, outbox and inbox. */
export class Accounts1795305600000 implements MigrationInterface {
  readonly name = 'Accounts1795305600000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...eventTables('identity')]) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE inbox, outbox, attempts, sessions, users')
  }
}
