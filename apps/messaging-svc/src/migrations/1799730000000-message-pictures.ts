import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // How many pictures a message has.
  'ALTER TABLE messages ADD COLUMN images smallint NOT NULL DEFAULT 0',
  // Where they are stored. A row is there before its picture is, and before its message: what was cut off is found by it and removed.
  `CREATE TABLE message_pictures (
    message_id uuid NOT NULL,
    n smallint NOT NULL CHECK (n >= 0),
    transaction_id bigint NOT NULL REFERENCES deals (transaction_id),
    object_key text NOT NULL,
    is_posted boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (message_id, n)
  )`,
  'CREATE INDEX message_pictures_unposted ON message_pictures (created_at) WHERE NOT is_posted',
]

/** Messages can have pictures. */
export class MessagePictures1799730000000 implements MigrationInterface {
  readonly name = 'MessagePictures1799730000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('pictures of messages may be stored: restore a backup instead')
  }
}
