import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // A browser in which a user has switched push messages on. It ends with the session of that browser.
  `CREATE TABLE push_subscription (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES users (id),
    session_id uuid NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
    endpoint text NOT NULL UNIQUE,
    p256dh text NOT NULL,
    auth text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
  )`,
  'CREATE INDEX push_subscription_by_user ON push_subscription (user_id, created_at)',
  // The push messages that wait to be sent. Of one subject the latest is sent, because it replaces the others on the screen.
  `CREATE TABLE push_message (
    id uuid PRIMARY KEY,
    subscription_id uuid NOT NULL REFERENCES push_subscription (id) ON DELETE CASCADE,
    tag text NOT NULL,
    title text NOT NULL,
    path text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    last_error text,
    UNIQUE (subscription_id, tag)
  )`,
  'CREATE INDEX push_message_due ON push_message (due_at)',
]

/** Browsers that get push messages, and the messages that wait. */
export class Push1799731000000 implements MigrationInterface {
  readonly name = 'Push1799731000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE push_message, push_subscription')
  }
}
