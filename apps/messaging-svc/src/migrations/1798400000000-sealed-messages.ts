import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // The key of a deal's chat, encrypted with the master key `key_id`. A deal gets it with the first message that a person writes.
  `ALTER TABLE deals ADD COLUMN key_id text, ADD COLUMN wrapped_key bytea`,
  'ALTER TABLE deals ADD CONSTRAINT deals_key_check CHECK ((key_id IS NULL) = (wrapped_key IS NULL)) NOT VALID',
  'ALTER TABLE deals VALIDATE CONSTRAINT deals_key_check',
  'CREATE INDEX deals_by_key ON deals (key_id) WHERE key_id IS NOT NULL',
  // The encrypted text. `content` is empty then and not null, because the release before reads it as text.
  'ALTER TABLE messages ADD COLUMN sealed bytea',
  `ALTER TABLE messages ADD CONSTRAINT messages_sealed_check CHECK (sealed IS NULL OR content = '') NOT VALID`,
  'ALTER TABLE messages VALIDATE CONSTRAINT messages_sealed_check',
  // What is left to encrypt: rows of earlier releases.
  'CREATE INDEX messages_unsealed ON messages (sequence) WHERE sender_id IS NOT NULL AND sealed IS NULL',
  // Notifications of messages that may have words of the message: those of earlier releases.
  'ALTER TABLE notifications ADD COLUMN without_words boolean NOT NULL DEFAULT false',
  "CREATE INDEX notifications_with_words ON notifications (sequence) WHERE type = 'message' AND NOT without_words",
]

/** What people write in a chat is encrypted. A job of the service encrypts what earlier releases wrote. */
export class SealedMessages1798400000000 implements MigrationInterface {
  readonly name = 'SealedMessages1798400000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('encrypted messages may exist: restore a backup instead')
  }
}
