import type { MigrationInterface, QueryRunner } from 'typeorm'

// The values are those of the time when this migration was written: an applied migration never changes.
const STATEMENTS = [
  'ALTER TABLE ruling ADD COLUMN approved_by uuid',
  `CREATE TABLE ruling_request (
    id uuid PRIMARY KEY,
    dispute_id bigint NOT NULL REFERENCES dispute,
    outcome text NOT NULL CHECK (outcome IN ('full_refund', 'partial_refund', 'seller_favor', 'return_exchange')),
    refund_minor bigint CHECK (refund_minor >= 0),
    held_minor bigint,
    -- All that the deal held when it was asked for.
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    resolution text NOT NULL,
    asked_by uuid NOT NULL,
    asked_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('waiting', 'approved', 'rejected', 'expired')),
    -- The id under which the audit log shows the decision.
    decision_id uuid,
    decided_by uuid,
    decided_at timestamptz,
    decision_reason text,
    CHECK ((state IN ('approved', 'rejected')) = (decided_by IS NOT NULL)),
    CHECK (num_nulls(decision_id, decided_by, decided_at, decision_reason) IN (0, 4)),
    CHECK (state <> 'approved' OR decided_by <> asked_by)
  )`,
  `CREATE UNIQUE INDEX ruling_request_waiting ON ruling_request (dispute_id) WHERE state = 'waiting'`,
  'CREATE INDEX ruling_request_of_dispute ON ruling_request (dispute_id)',
]

/** Rulings that wait for a second admin. */
export class RulingRequests1799786030000 implements MigrationInterface {
  readonly name = 'RulingRequests1799786030000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('who asked for a ruling is never dropped: restore a backup instead')
  }
}
