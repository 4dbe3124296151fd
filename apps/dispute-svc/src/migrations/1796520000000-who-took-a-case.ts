import type { MigrationInterface, QueryRunner } from 'typeorm'

// The values are those of the time when this migration was written: an applied migration never changes.
const STEPS = [
  'filed',
  'answered',
  'response_ended',
  'investigation_begun',
  'taken_over',
  'notes_written',
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
  'ALTER TABLE history DROP CONSTRAINT history_step_check',
  `ALTER TABLE history ADD CONSTRAINT history_step_check CHECK (step IN (${STEPS.map(step => `'${step}'`).join(', ')})) NOT VALID`,
  'ALTER TABLE history VALIDATE CONSTRAINT history_step_check',
  // What the system wrote at filing said where the money was then. It is read for as long as the case is, so it says only what happened.
  `UPDATE dispute SET description = 'The item did not arrive in time, so the system filed this dispute.'
     WHERE reporter_id IS NULL AND reason = 'item_not_received'`,
  `UPDATE dispute SET description = 'The buyer’s bank disputed the payment, so the system filed this dispute.'
     WHERE reporter_id IS NULL AND reason = 'chargeback'`,
  `UPDATE dispute SET description = 'A part of the payment was refunded, so the system filed this dispute.'
     WHERE reporter_id IS NULL AND reason = 'provider_refund'`,
]

/** Steps for a mediator who takes a case over or changes the notes, and descriptions of the system's disputes that stay true. */
export class WhoTookACase1796520000000 implements MigrationInterface {
  readonly name = 'WhoTookACase1796520000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the history of a dispute is never dropped: restore a backup instead')
  }
}
