import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // When the owner of the address took the account over. What was attached to it before is forgotten.
  'ALTER TABLE escrow.payout_account ADD COLUMN taken_over_at timestamptz',
  // The provider's id of the bank account, and the change that made it this one. Payouts wait until `waits_until`.
  `ALTER TABLE escrow.payout_account ADD COLUMN bank_id text, ADD COLUMN bank_change_id uuid,
     ADD COLUMN waits_until timestamptz`,
]

/** Payouts wait after another bank account was named, and an account that is taken over has none. */
export class ChangedPayoutAccounts1799786023000 implements MigrationInterface {
  readonly name = 'ChangedPayoutAccounts1799786023000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE escrow.payout_account DROP COLUMN taken_over_at, DROP COLUMN bank_id, DROP COLUMN bank_change_id, DROP COLUMN waits_until',
    )
  }
}
