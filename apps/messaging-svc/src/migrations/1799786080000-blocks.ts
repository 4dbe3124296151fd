import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // What identity-svc has said last about each pair. An ended block is kept, so that an event that is replayed after its end is known to be older.
  `CREATE TABLE block (
    blocker_id uuid NOT NULL,
    blocked_id uuid NOT NULL,
    is_blocked boolean NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (blocker_id, blocked_id)
  )`,
  // For the closing of the blocked person's account.
  'CREATE INDEX block_by_blocked ON block (blocked_id)',
  'ALTER TABLE deals ADD COLUMN ended boolean NOT NULL DEFAULT false',
  // Of the deals that are here already, the system's message of the end says it.
  `UPDATE deals SET ended = true WHERE hidden OR transaction_id IN (
     SELECT transaction_id FROM messages WHERE sender_id IS NULL
       AND (content LIKE 'The transaction is complete:%' OR content LIKE 'The transaction is cancelled.%'))`,
]

/** Who has blocked whom, and which deals have ended. */
export class Blocks1799786080000 implements MigrationInterface {
  readonly name = 'Blocks1799786080000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE deals DROP COLUMN ended')
    await queryRunner.query('DROP TABLE block')
  }
}
