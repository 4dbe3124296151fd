import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  `ALTER TABLE escrow.payment
     ADD COLUMN customer_id text,
     ADD COLUMN transfer jsonb,
     ADD COLUMN received_minor bigint NOT NULL DEFAULT 0 CHECK (received_minor >= 0),
     ADD COLUMN unapplied boolean NOT NULL DEFAULT false`,
  'CREATE INDEX payment_customer ON escrow.payment (customer_id) WHERE customer_id IS NOT NULL',
]

/** Payments by bank transfer: the payer at the provider, the bank details, and what has arrived. */
export class BankTransfers1798500000000 implements MigrationInterface {
  readonly name = 'BankTransfers1798500000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('payments are never dropped: restore a backup instead')
  }
}
