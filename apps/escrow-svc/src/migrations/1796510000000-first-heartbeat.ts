import { firstHeartbeat } from '@holdfast/service-kit/outages/heartbeat-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The first start of a new installation is no end of an outage. */
export class FirstHeartbeat1796510000000 implements MigrationInterface {
  readonly name = 'FirstHeartbeat1796510000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of firstHeartbeat('escrow', 'clock_entry')) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.heartbeat DROP COLUMN made_at')
  }
}
