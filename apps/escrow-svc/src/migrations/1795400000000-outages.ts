import { heartbeatTables } from '@holdfast/service-kit/outages/heartbeat-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The heartbeat, which shows when no replica could act, and the outages that it found. */
export class Outages1795400000000 implements MigrationInterface {
  readonly name = 'Outages1795400000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of heartbeatTables('escrow')) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE escrow.outage, escrow.heartbeat')
  }
}
