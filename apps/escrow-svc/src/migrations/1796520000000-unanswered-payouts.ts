import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Since when every question about a payout that was sent has failed.
  'ALTER TABLE escrow.payout ADD COLUMN unanswered_since timestamptz',
  'CREATE INDEX payout_unanswered ON escrow.payout (unanswered_since) WHERE unanswered_since IS NOT NULL',
]

/** Since when the provider gives no answer about a payout, for the console's list of stuck cases. */
export class UnansweredPayouts1796520000000 implements MigrationInterface {
  readonly name = 'UnansweredPayouts1796520000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.payout DROP COLUMN unanswered_since')
  }
}
