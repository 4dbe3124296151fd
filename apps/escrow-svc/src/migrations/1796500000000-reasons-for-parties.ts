import type { MigrationInterface, QueryRunner } from 'typeorm'

/** What an operator says to both parties about a step of their deal, such as a refund by Holdfast. */
export class ReasonsForParties1796500000000 implements MigrationInterface {
  readonly name = 'ReasonsForParties1796500000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.timeline ADD COLUMN reason text')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.timeline DROP COLUMN reason')
  }
}
