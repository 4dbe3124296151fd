import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Since when a user has their plan: an older event does not change it. */
export class Plans1799700000000 implements MigrationInterface {
  readonly name = 'Plans1799700000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users ADD COLUMN plan_since timestamptz NOT NULL DEFAULT '-infinity'`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN plan_since')
  }
}
