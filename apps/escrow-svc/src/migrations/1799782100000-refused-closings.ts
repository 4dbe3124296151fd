import type { MigrationInterface, QueryRunner } from 'typeorm'

const TABLE = `CREATE TABLE escrow.refused_closing (
  closing_id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  refused_at timestamptz NOT NULL DEFAULT now()
)`

/** The closings of accounts that have ended with an account that is open: an event of one that comes again must change nothing. */
export class RefusedClosings1799782100000 implements MigrationInterface {
  readonly name = 'RefusedClosings1799782100000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE escrow.refused_closing')
  }
}
