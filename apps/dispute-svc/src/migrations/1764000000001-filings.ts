import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * A filing that the escrow has not answered yet stands in nobody's way: neither another party's filing, nor the system's
 * own dispute. Which of several freezes the deal, the escrow decides.
 */
export class Filings1764000000001 implements MigrationInterface {
  readonly name = 'Filings1764000000001'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX dispute.dispute_of_transaction')
    await queryRunner.query(
      `CREATE UNIQUE INDEX dispute_of_transaction ON dispute.dispute (transaction_id)
       WHERE status <> 'closed' AND step <> 'freezing'`,
    )
    await queryRunner.query(
      "CREATE UNIQUE INDEX dispute_filing ON dispute.dispute (reporter_id, transaction_id) WHERE step = 'freezing'",
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX dispute.dispute_filing')
    await queryRunner.query('DROP INDEX dispute.dispute_of_transaction')
    await queryRunner.query(
      "CREATE UNIQUE INDEX dispute_of_transaction ON dispute.dispute (transaction_id) WHERE status <> 'closed'",
    )
  }
}
