import type { MigrationInterface, QueryRunner } from 'typeorm'

// The event of a dispute may come before those of its deal, so it needs no row in `deals`.
const TABLE = `CREATE TABLE opened_dispute (
    transaction_id bigint NOT NULL,
    dispute_id bigint NOT NULL,
    opened_at timestamptz NOT NULL,
    PRIMARY KEY (transaction_id, dispute_id)
  )`

/** The disputes of deals, to which notifications lead. */
export class OpenedDisputes1799785003100 implements MigrationInterface {
  readonly name = 'OpenedDisputes1799785003100'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE opened_dispute')
  }
}
