import { IDEMPOTENCY_TABLE, idempotencyTable } from '@holdfast/service-kit/idempotency/idempotency-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The idempotency keys of filings and withdrawals. */
export class IdempotencyKeys1795331000000 implements MigrationInterface {
  readonly name = 'IdempotencyKeys1795331000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of idempotencyTable('dispute')) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION dispute.forget_idempotency_keys(int)')
    await queryRunner.query(`DROP TABLE dispute.${IDEMPOTENCY_TABLE}`)
  }
}
