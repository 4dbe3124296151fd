import type { MigrationInterface, QueryRunner } from 'typeorm'

/** How many unpaid deals somebody has opened is asked at every opening. */
export class UnpaidDeals1764000000003 implements MigrationInterface {
  readonly name = 'UnpaidDeals1764000000003'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      "CREATE INDEX transaction_unpaid_by_opener ON escrow.transaction (opened_by) WHERE status = 'pending'",
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX escrow.transaction_unpaid_by_opener')
  }
}
