import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Since when a user is suspended. The reason is kept with the act of the admin. */
export class Suspensions1799760000000 implements MigrationInterface {
  readonly name = 'Suspensions1799760000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users ADD COLUMN suspended_at timestamptz')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN suspended_at')
  }
}
