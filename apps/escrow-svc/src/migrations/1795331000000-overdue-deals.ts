import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Marks the deals that are disputed because their item did not arrive in time. Only the system's disputes have no id. */
export class OverdueDeals1795331000000 implements MigrationInterface {
  readonly name = 'OverdueDeals1795331000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE escrow.transaction SET frozen = frozen || '{"overdue": true}', version = version + 1
       WHERE status = 'disputed' AND frozen -> 'disputeId' = 'null'`,
    )
  }

  async down(): Promise<void> {
    // The previous release ignores the mark.
  }
}
