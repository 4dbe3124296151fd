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
  'withdrawn',
  'closed',
]

const STATEMENTS = [
  'ALTER TABLE history DROP CONSTRAINT history_step_check',
  `ALTER TABLE history ADD CONSTRAINT history_step_check CHECK (step IN (${STEPS.map(step => `'${step}'`).join(', ')})) NOT VALID`,
  'ALTER TABLE history VALIDATE CONSTRAINT history_step_check',
  // What a mediator wrote when they took the case. The dispute's row has only the latest of these notes.
  'ALTER TABLE history ADD COLUMN note text',
  `UPDATE history h SET note = d.admin_notes FROM dispute d
     WHERE d.id = h.dispute_id AND h.step = 'investigation_begun' AND d.admin_notes IS NOT NULL`,
]

/** The step of a decision that escrow-svc cannot post, and the words of each mediator who took a case. */
export class DecisionsNotCarriedOut1796100000000 implements MigrationInterface {
  readonly name = 'DecisionsNotCarriedOut1796100000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the history of a dispute is never dropped: restore a backup instead')
  }
}
