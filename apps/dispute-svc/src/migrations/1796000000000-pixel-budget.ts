import { ATTEMPTS_TABLE } from '@holdfast/service-kit/auth/attempts-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The pixels of the pictures that each user has sent as evidence. */
export class PixelBudget1796000000000 implements MigrationInterface {
  readonly name = 'PixelBudget1796000000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of ATTEMPTS_TABLE) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE attempts')
  }
}
