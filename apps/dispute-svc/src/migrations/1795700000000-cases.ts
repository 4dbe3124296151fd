import type { MigrationInterface, QueryRunner } from 'typeorm'

// The values are those of the time when this migration was written: an applied migration never changes.
const STAGES = [
  'opening',
  'open',
  'investigating',
  'resolved',
  'appealed',
  'returning',
  'returned',
  'checking',
  'contested',
  'settling',
  'closed',
]
const CLOCKS = [
  'response',
  'first_look',
  'ruling',
  'appeal',
  'second_ruling',
  'return_shipping',
  'return_arrival',
  'return_check',
]
const OUTCOMES = ['full_refund', 'partial_refund', 'seller_favor', 'return_exchange']
const CAUSES = ['settlement', 'ruling', 'return']
const PROPOSAL_STATES = ['open', 'superseded', 'declined', 'accepted', 'ended']
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
  'reminded',
  'escalated',
  'withdrawn',
  'closed',
]
const PARTIES = ['buyer', 'seller']
const ROLES = ['buyer', 'seller', 'mediator', 'carrier', 'system']

const oneOf = (column: string, values: readonly string[]): string =>
  `CHECK (${column} IN (${values.map(value => `'${value}'`).join(', ')}))`

const STATEMENTS = [
  'ALTER TABLE dispute DROP CONSTRAINT dispute_step_check',
  `ALTER TABLE dispute ADD CONSTRAINT dispute_step_check ${oneOf('step', ['freezing', 'settled', 'resuming', 'refused', 'settling'])}`,
  // What was sold, at which price: set with the parties, when escrow has frozen the deal.
  `ALTER TABLE dispute
     ADD COLUMN stage text NOT NULL DEFAULT 'opening' ${oneOf('stage', STAGES)},
     ADD COLUMN stage_before text ${oneOf('stage_before', STAGES)},
     ADD COLUMN title text,
     ADD COLUMN price_minor bigint,
     ADD COLUMN currency text,
     ADD COLUMN opened_at timestamptz,
     ADD COLUMN settle_refund_minor bigint,
     ADD COLUMN settle_cause text ${oneOf('settle_cause', CAUSES)},
     ADD COLUMN settle_by uuid,
     ADD COLUMN settle_resolution text`,
  `UPDATE dispute SET stage = CASE WHEN status = 'closed' THEN 'closed' WHEN step = 'freezing' THEN 'opening' ELSE 'open' END`,
  // Disputes of an older release: escrow knows what they are about, their case does not.
  `UPDATE dispute SET title = 'Transaction #' || transaction_id, price_minor = 0, currency = 'USD', opened_at = created_at
     WHERE buyer_id IS NOT NULL`,
  `CREATE TABLE dispute_clock (
    id uuid PRIMARY KEY,
    dispute_id bigint NOT NULL REFERENCES dispute,
    kind text NOT NULL ${oneOf('kind', CLOCKS)},
    started_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    reminded_at timestamptz,
    escalated_at timestamptz,
    ended_at timestamptz,
    -- When something is to be done about it: the reminder, or the end of the time.
    wake_at timestamptz
  )`,
  'CREATE UNIQUE INDEX dispute_clock_running ON dispute_clock (dispute_id, kind) WHERE ended_at IS NULL',
  'CREATE INDEX dispute_clock_wake ON dispute_clock (wake_at) WHERE ended_at IS NULL AND wake_at IS NOT NULL',
  `CREATE TABLE evidence (
    dispute_id bigint NOT NULL REFERENCES dispute,
    n int NOT NULL CHECK (n > 0),
    author_id uuid NOT NULL,
    role text NOT NULL ${oneOf('role', PARTIES)},
    note text NOT NULL,
    -- The SHA-256 hashes of the pictures, in order.
    images text[] NOT NULL,
    at timestamptz NOT NULL,
    sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
    previous_sha256 text CHECK (previous_sha256 ~ '^[0-9a-f]{64}$'),
    PRIMARY KEY (dispute_id, n),
    CHECK ((n = 1) = (previous_sha256 IS NULL))
  )`,
  `CREATE TABLE proposal (
    id uuid PRIMARY KEY,
    dispute_id bigint NOT NULL REFERENCES dispute,
    by text NOT NULL ${oneOf('by', PARTIES)},
    refund_minor bigint NOT NULL CHECK (refund_minor >= 0),
    state text NOT NULL ${oneOf('state', PROPOSAL_STATES)},
    at timestamptz NOT NULL
  )`,
  `CREATE UNIQUE INDEX proposal_open ON proposal (dispute_id, by) WHERE state = 'open'`,
  'CREATE INDEX proposal_of_dispute ON proposal (dispute_id, at)',
  `CREATE TABLE ruling (
    id uuid PRIMARY KEY,
    dispute_id bigint NOT NULL REFERENCES dispute,
    outcome text NOT NULL ${oneOf('outcome', OUTCOMES)},
    -- What the buyer gets back of the price; null for all that is held.
    refund_minor bigint CHECK (refund_minor >= 0),
    resolution text NOT NULL,
    mediator_id uuid NOT NULL,
    is_on_appeal boolean NOT NULL,
    at timestamptz NOT NULL
  )`,
  'CREATE INDEX ruling_of_dispute ON ruling (dispute_id, at)',
  `CREATE TABLE waiver (
    ruling_id uuid NOT NULL REFERENCES ruling,
    by text NOT NULL ${oneOf('by', PARTIES)},
    at timestamptz NOT NULL,
    PRIMARY KEY (ruling_id, by)
  )`,
  `CREATE TABLE appeal (
    dispute_id bigint PRIMARY KEY REFERENCES dispute,
    by text NOT NULL ${oneOf('by', PARTIES)},
    reason text NOT NULL,
    at timestamptz NOT NULL
  )`,
  // An item on its way back to the seller.
  `CREATE TABLE return_parcel (
    dispute_id bigint PRIMARY KEY REFERENCES dispute,
    tracking_number text NOT NULL,
    carrier text,
    shipped_at timestamptz NOT NULL,
    delivered_at timestamptz,
    contested_at timestamptz,
    contest_reason text,
    -- When the carrier is asked next.
    poll_at timestamptz,
    CHECK ((contested_at IS NULL) = (contest_reason IS NULL))
  )`,
  'CREATE INDEX return_parcel_poll ON return_parcel (poll_at) WHERE poll_at IS NOT NULL',
  `CREATE TABLE history (
    id uuid PRIMARY KEY,
    dispute_id bigint NOT NULL REFERENCES dispute,
    step text NOT NULL ${oneOf('step', STEPS)},
    role text NOT NULL ${oneOf('role', ROLES)},
    user_id uuid,
    refund_minor bigint,
    at timestamptz NOT NULL
  )`,
  'CREATE INDEX history_of_dispute ON history (dispute_id, at)',
  `CREATE INDEX dispute_queue ON dispute (status, id) WHERE status <> 'closed'`,
]

/** The case of a dispute: stages, time limits, evidence, proposals, rulings, appeals, returns and history. */
export class Cases1795700000000 implements MigrationInterface {
  readonly name = 'Cases1795700000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('evidence and rulings are never dropped: restore a backup instead')
  }
}
