import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // When the timer takes the buyer's address from the payer of a bank transfer at the provider; null when it is not due.
  'ALTER TABLE escrow.payment ADD COLUMN address_erasure_due_at timestamptz',
  `CREATE INDEX payment_address_erasure_due ON escrow.payment (address_erasure_due_at) WHERE address_erasure_due_at IS NOT NULL`,
]

/** The address of a closed account is taken from its payers at the provider. */
export class PayersAddresses1799785000900 implements MigrationInterface {
  readonly name = 'PayersAddresses1799785000900'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.payment DROP COLUMN address_erasure_due_at')
  }
}
