import type { MigrationInterface, QueryRunner } from 'typeorm'

const TABLE = `CREATE TABLE escrow.closed_user (
  user_id uuid PRIMARY KEY,
  closing_id uuid NOT NULL,
  since timestamptz NOT NULL,
  closed_at timestamptz
)`

/** The users whose accounts are being closed or are closed: no deal is opened with them. */
export class ClosedUsers1799740000000 implements MigrationInterface {
  readonly name = 'ClosedUsers1799740000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE escrow.closed_user')
  }
}
