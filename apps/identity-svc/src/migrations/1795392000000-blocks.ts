import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Which users do not want to deal with which others. */
export class Blocks1795392000000 implements MigrationInterface {
  readonly name = 'Blocks1795392000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE blocks (
      blocker_id uuid NOT NULL REFERENCES users (id),
      blocked_id uuid NOT NULL REFERENCES users (id),
      created_at timestamptz NOT NULL,
      PRIMARY KEY (blocker_id, blocked_id),
      CHECK (blocker_id <> blocked_id)
    )`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE blocks')
  }
}
