import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  'ALTER TABLE mailed_token DROP CONSTRAINT mailed_token_purpose_check',
  `ALTER TABLE mailed_token ADD CONSTRAINT mailed_token_purpose_check
     CHECK (purpose IN ('confirm_email', 'change_email', 'reset_password', 'confirm_payout_account'))`,
  // The change of the payout account that the link confirms; null for links of other kinds.
  `ALTER TABLE mailed_token ADD COLUMN change_id uuid,
     ADD CONSTRAINT mailed_token_change_check CHECK ((purpose = 'confirm_payout_account') = (change_id IS NOT NULL))`,
]

/** Links by which sellers confirm that they have changed their payout account. */
export class PayoutAccountLinks1799786024000 implements MigrationInterface {
  readonly name = 'PayoutAccountLinks1799786024000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('tokens of this kind may exist: restore a backup instead')
  }
}
