import { ATTEMPTS_TABLE } from '@holdfast/service-kit/auth/attempts-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The counters of attempts. */
export class Attempts1764000000001 implements MigrationInterface {
  readonly name = 'Attempts1764000000001'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of ATTEMPTS_TABLE) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE attempts')
  }
}
