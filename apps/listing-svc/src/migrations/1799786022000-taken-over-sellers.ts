import type { MigrationInterface, QueryRunner } from 'typeorm'

/** When the owner of a seller's address took their account over. What was listed before is withdrawn. */
export class TakenOverSellers1799786022000 implements MigrationInterface {
  readonly name = 'TakenOverSellers1799786022000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE seller ADD COLUMN taken_over_at timestamptz')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE seller DROP COLUMN taken_over_at')
  }
}
