import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // When the timer deletes a user at the provider, and when that was done.
  `ALTER TABLE escrow.customer ADD COLUMN deletion_due_at timestamptz, ADD COLUMN deleted_at timestamptz`,
  'CREATE INDEX customer_deletion_due ON escrow.customer (deletion_due_at) WHERE deletion_due_at IS NOT NULL',
  // Accounts that were closed by an earlier release.
  `UPDATE escrow.customer c SET deletion_due_at = now()
    WHERE EXISTS (SELECT FROM escrow.closed_user u WHERE u.user_id = c.user_id AND u.closed_at IS NOT NULL)`,
  // Earlier releases left the open invoice of a subscription that had ended as it was: it could still be paid.
  `UPDATE escrow.subscription s SET due_at = now() WHERE s.status = 'ended' AND s.due_at IS NULL
     AND EXISTS (SELECT FROM escrow.subscription_invoice i WHERE i.subscription_id = s.id AND i.status = 'open')`,
]

/** Closed users are deleted at the provider with their saved cards, and no invoice of an ended subscription stays open. */
export class DeletedCustomers1799780000000 implements MigrationInterface {
  readonly name = 'DeletedCustomers1799780000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('whom the provider has forgotten does not come back: restore a backup instead')
  }
}
