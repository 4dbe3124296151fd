import { heartbeatTables } from '@holdfast/service-kit/outages/heartbeat-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

// The values are those of the time when this migration was written: an applied migration never changes.
const STEPS = [
  'filed',
  'answered',
  'response_ended',
  'investigation_begun',
  'evidence_added',
  'settlement_proposed',
  'settlement_declined',
  'settlement_agreed',
  'ruled',
  'appeal_waived',
  'appealed',
  'ruling_final',
  'return_shipped',
  'return_delivered',
  'return_confirmed',
  'return_contested',
  'return_not_shipped',
  'return_not_arrived',
  'not_carried_out',
  'reminded',
  'escalated',
  'time_extended',
  'withdrawn',
  'closed',
]

const STATEMENTS = [
  ...heartbeatTables('dispute'),
  // The end of the latest outage by which the time limit was extended, or later.
  'ALTER TABLE dispute_clock ADD COLUMN extended_at timestamptz',
  'ALTER TABLE history DROP CONSTRAINT history_step_check',
  `ALTER TABLE history ADD CONSTRAINT history_step_check CHECK (step IN (${STEPS.map(step => `'${step}'`).join(', ')})) NOT VALID`,
  'ALTER TABLE history VALIDATE CONSTRAINT history_step_check',
]

/** The heartbeat, which shows when no replica could act, and the extension of time limits by that time. */
export class Outages1796300000000 implements MigrationInterface {
  readonly name = 'Outages1796300000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the history of a dispute is never dropped: restore a backup instead')
  }
}
