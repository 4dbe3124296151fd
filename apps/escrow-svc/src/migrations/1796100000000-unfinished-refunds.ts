import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Refunds that have not reached their buyers are few among all. They are counted at every scrape of the metrics. */
export class UnfinishedRefunds1796100000000 implements MigrationInterface {
  readonly name = 'UnfinishedRefunds1796100000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `CREATE INDEX refund_unfinished ON escrow.refund (status, created_at) WHERE status IN ('due', 'sent', 'failed')`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX escrow.refund_unfinished')
  }
}
