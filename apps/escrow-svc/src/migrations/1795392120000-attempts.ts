import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Each attempt has an idempotency key of its own at the provider.
  `ALTER TABLE escrow.payment ADD COLUMN attempt int NOT NULL DEFAULT 1 CHECK (attempt > 0),
     ADD COLUMN check_due_at timestamptz`,
  'CREATE INDEX payment_check_due ON escrow.payment (check_due_at) WHERE check_due_at IS NOT NULL',
  `ALTER TABLE escrow.refund ADD COLUMN send_attempt int NOT NULL DEFAULT 1 CHECK (send_attempt > 0),
     ADD COLUMN failed_provider_ids text[] NOT NULL DEFAULT '{}'`,
  // Earlier releases never asked about a refund that they had sent.
  `UPDATE escrow.refund SET due_at = now() WHERE status = 'sent' AND origin = 'us'`,
]

/** The attempts of payments and refunds. */
export class Attempts1795392120000 implements MigrationInterface {
  readonly name = 'Attempts1795392120000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('the ledger is never dropped: restore a backup instead')
  }
}
