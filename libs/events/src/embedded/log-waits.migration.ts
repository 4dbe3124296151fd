import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * For a partition whose next event fails: which event it is, since when and why it fails, and how many of its attempts an
 * outage ended. The gauge, the operator's commands and the decision about dead letters read these columns.
 */
export class LogWaits1795392000000 implements MigrationInterface {
  readonly name = 'LogWaits1795392000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events.cursor
      ADD COLUMN outages int NOT NULL DEFAULT 0,
      ADD COLUMN failing_position bigint,
      ADD COLUMN failing_since timestamptz,
      ADD COLUMN failing_error text`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE events.cursor
      DROP COLUMN outages, DROP COLUMN failing_position, DROP COLUMN failing_since, DROP COLUMN failing_error`)
  }
}
