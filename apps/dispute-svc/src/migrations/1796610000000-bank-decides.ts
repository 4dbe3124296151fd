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
  'time_stopped',
  'time_resumed',
  'withdrawn',
  'closed',
]

const STATEMENTS = [
  `CREATE TABLE bank_decision (
    transaction_id bigint PRIMARY KEY,
    -- Since when the deal waits for the buyer's bank; null while it does not.
    pending_since timestamptz,
    -- What escrow-svc said last: its time, and the deal's version. An event of an older release has no version.
    said_at timestamptz NOT NULL,
    version integer,
    -- When escrow-svc is asked whether the bank still decides.
    ask_at timestamptz
  )`,
  'CREATE INDEX bank_decision_ask_at ON bank_decision (ask_at) WHERE ask_at IS NOT NULL',
  // Since when the time limit is stopped; null while it runs.
  'ALTER TABLE dispute_clock ADD COLUMN stopped_at timestamptz',
  'ALTER TABLE history DROP CONSTRAINT history_step_check',
  `ALTER TABLE history ADD CONSTRAINT history_step_check CHECK (step IN (${STEPS.map(step => `'${step}'`).join(', ')})) NOT VALID`,
  'ALTER TABLE history VALIDATE CONSTRAINT history_step_check',
  // A dispute about a chargeback waits for the bank since it was opened, unless the bank has decided since. Whether it has, and whether
  // any other open dispute waits for a bank, this schema does not know. So escrow-svc is asked about all of them as soon as the service
  // runs. A dispute about which it answers that the bank has decided gets the time since its opening back. That may be too much.
  // Time limits that have ended, such as the one for the answer, have their place in the history and are not started again.
  `INSERT INTO bank_decision (transaction_id, pending_since, said_at, ask_at)
     SELECT transaction_id, max(opened_at) FILTER (WHERE reason = 'chargeback'), max(opened_at), now()
     FROM dispute WHERE opened_at IS NOT NULL AND status <> 'closed' GROUP BY transaction_id`,
  `UPDATE dispute_clock c SET stopped_at = greatest(d.opened_at, c.started_at, c.extended_at), wake_at = NULL
     FROM dispute d WHERE d.id = c.dispute_id AND c.ended_at IS NULL AND d.reason = 'chargeback' AND d.opened_at IS NOT NULL
       AND d.status <> 'closed'`,
]

/** Whether the buyer's bank decides about a deal, and time limits that stop meanwhile. */
export class BankDecides1796610000000 implements MigrationInterface {
  readonly name = 'BankDecides1796610000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the history of a dispute is never dropped: restore a backup instead')
  }
}
