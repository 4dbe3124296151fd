import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  'ALTER TABLE dispute DROP CONSTRAINT dispute_reason_check',
  `ALTER TABLE dispute ADD CONSTRAINT dispute_reason_check CHECK (reason IN (
    'item_not_received', 'item_not_as_described', 'damaged_item', 'seller_unresponsive', 'payment_issues', 'other',
    'item-not-received', 'item-not-as-described', 'item-damaged', 'seller-non-responsive', 'shipping-issues', 'chargeback',
    'provider_refund'
  ))`,
]

/** The reasons of disputes that the system files because of the payment provider. */
export class ProviderDisputes1795392000000 implements MigrationInterface {
  readonly name = 'ProviderDisputes1795392000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('disputes of banks may exist: restore a backup instead')
  }
}
