import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * When escrow has last ended a dispute of a deal or the deal itself. A message about an earlier freeze may still arrive: an
 * answer that was delayed, or an event that an operator replays.
 */
export class DealEnds1795410000000 implements MigrationInterface {
  readonly name = 'DealEnds1795410000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE dispute.deal_end (
      transaction_id bigint PRIMARY KEY,
      ended_at timestamptz NOT NULL,
      -- The resolution of the disputes of a deal that was cancelled. Such a deal is never disputed again.
      cancelled text
    )`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE dispute.deal_end')
  }
}
