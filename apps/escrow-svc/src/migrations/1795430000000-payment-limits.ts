import { ATTEMPTS_TABLE } from '@holdfast/service-kit/auth/attempts-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Counts how many payments are begun for a deal and by a buyer. */
export class PaymentLimits1795430000000 implements MigrationInterface {
  readonly name = 'PaymentLimits1795430000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of ATTEMPTS_TABLE) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE escrow.attempts')
  }
}
