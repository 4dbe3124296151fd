import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // When the user has shown a second factor in this session; null when it was made without one.
  'ALTER TABLE sessions ADD COLUMN second_factor_at timestamptz',
  // When the user has last shown in this session who they are. Null for sessions of earlier releases.
  'ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz',
  // A secret that an authenticator app was given. It does not count before its first code. `sealed` is encrypted with a data key of its
  // own, which the master key named by `key_id` wraps.
  `CREATE TABLE authenticator_setup (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    sealed bytea NOT NULL,
    key_id text NOT NULL,
    wrapped_key bytea NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX authenticator_setup_by_expiry ON authenticator_setup (expires_at)',
  // last_step: the time step of the latest code that was used (RFC 6238, section 4.2). Codes of it and of earlier steps are refused.
  `CREATE TABLE authenticator (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    sealed bytea NOT NULL,
    key_id text NOT NULL,
    wrapped_key bytea NOT NULL,
    last_step bigint NOT NULL,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp()
  )`,
  `CREATE TABLE recovery_code (
    user_id uuid NOT NULL REFERENCES users (id),
    code_hash bytea NOT NULL CHECK (octet_length(code_hash) = 32),
    used_at timestamptz,
    PRIMARY KEY (user_id, code_hash)
  )`,
  `CREATE TABLE passkey (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    credential_id text NOT NULL UNIQUE,
    public_key bytea NOT NULL,
    counter bigint NOT NULL CHECK (counter >= 0),
    transports text[] NOT NULL,
    name text NOT NULL,
    is_backed_up boolean NOT NULL,
    added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    used_at timestamptz
  )`,
  'CREATE INDEX passkey_by_user ON passkey (user_id, added_at)',
  // bound_to: what the challenge was made for besides the purpose: a session, or the second step of a sign-in.
  `CREATE TABLE passkey_challenge (
    challenge_hash bytea PRIMARY KEY CHECK (octet_length(challenge_hash) = 32),
    purpose text NOT NULL CHECK (purpose IN ('register', 'sign_in', 'second_step', 'confirm')),
    bound_to text NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX passkey_challenge_by_expiry ON passkey_challenge (expires_at)',
  // A sign-in whose first step is done. password_version: a change of the password ends it.
  `CREATE TABLE sign_in_step (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    user_id uuid NOT NULL REFERENCES users (id),
    password_version integer NOT NULL,
    expires_at timestamptz NOT NULL
  )`,
  'CREATE INDEX sign_in_step_by_expiry ON sign_in_step (expires_at)',
  'CREATE INDEX sign_in_step_by_user ON sign_in_step (user_id)',
]

/** Authenticator apps, passkeys and recovery codes, and the sign-ins that wait for one of them. */
export class SecondFactors1799750000000 implements MigrationInterface {
  readonly name = 'SecondFactors1799750000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'DROP TABLE sign_in_step, passkey_challenge, passkey, recovery_code, authenticator, authenticator_setup',
    )
    await queryRunner.query('ALTER TABLE sessions DROP COLUMN second_factor_at, DROP COLUMN confirmed_at')
  }
}
