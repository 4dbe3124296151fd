import type { MigrationInterface, QueryRunner } from 'typeorm'

/** When the timer takes the buyer's address from the payers of a bank transfer at the provider; null when it is not due. */
export class PayersAddresses1799785000900 implements MigrationInterface {
  readonly name = 'PayersAddresses1799785000900'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.payment ADD COLUMN address_erasure_due_at timestamptz')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.payment DROP COLUMN address_erasure_due_at')
  }
}
