import { eventTables } from '@holdfast/events/migrations'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const TABLES = [
  // The parties are set when escrow has frozen the deal.
  `CREATE TABLE dispute (
    id bigint GENERATED ALWAYS AS IDENTITY (START WITH 101) PRIMARY KEY,
    transaction_id bigint NOT NULL,
    buyer_id uuid,
    seller_id uuid,
    reporter_id uuid,
    reason text NOT NULL CHECK (reason IN (
      'item_not_received', 'item_not_as_described', 'damaged_item', 'seller_unresponsive', 'payment_issues', 'other',
      'item-not-received', 'item-not-as-described', 'item-damaged', 'seller-non-responsive', 'shipping-issues'
    )),
    description text NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'investigating', 'resolved', 'closed')),
    step text NOT NULL CHECK (step IN ('freezing', 'settled', 'resuming')),
    admin_notes text,
    resolution text,
    retry_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (step = 'freezing' OR (buyer_id IS NOT NULL AND seller_id IS NOT NULL))
  )`,
  // A deal has at most one dispute that is not closed. A filing that escrow has not answered yet does not count, because it
  // must not prevent a filing of the other party or of the system. Escrow decides which of several freezes the deal.
  `CREATE UNIQUE INDEX dispute_of_transaction ON dispute (transaction_id) WHERE status <> 'closed' AND step <> 'freezing'`,
  `CREATE UNIQUE INDEX dispute_filing ON dispute (reporter_id, transaction_id) WHERE step = 'freezing'`,
  'CREATE INDEX dispute_buyer ON dispute (buyer_id, id DESC)',
  'CREATE INDEX dispute_seller ON dispute (seller_id, id DESC)',
  'CREATE INDEX dispute_retry ON dispute (retry_at) WHERE retry_at IS NOT NULL',
]

/** Disputes, outbox and inbox. */
export class Disputes1795305600000 implements MigrationInterface {
  readonly name = 'Disputes1795305600000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...eventTables('dispute')]) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE inbox, outbox, dispute')
  }
}
