import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // The second thing that an act was done to, such as the other account of an adjustment.
  'ALTER TABLE escrow.admin_act ADD COLUMN other_subject text',
  // The facts before an adjustment name both accounts.
  `UPDATE escrow.admin_act SET other_subject =
      (SELECT min('account:' || name) FROM jsonb_object_keys(before) name WHERE 'account:' || name <> subject)
    WHERE act = 'ledger.adjust'`,
  // When it was known that a payout does not arrive. Later changes of the row do not change it.
  'ALTER TABLE escrow.payout ADD COLUMN failed_at timestamptz',
  'UPDATE escrow.payout SET failed_at = updated_at WHERE failure IS NOT NULL',
  // For the console's list of stuck cases and the metrics, which read with the same condition.
  `CREATE INDEX payout_waits ON escrow.payout (id) WHERE status <> 'returned' AND (status = 'scheduled' OR failure IS NOT NULL)`,
]

/** What operators search the audit log by, and since when a payout waits for its money to come back. */
export class Operators1796400000000 implements MigrationInterface {
  readonly name = 'Operators1796400000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX escrow.payout_waits')
    await queryRunner.query('ALTER TABLE escrow.payout DROP COLUMN failed_at')
    await queryRunner.query('ALTER TABLE escrow.admin_act DROP COLUMN other_subject')
  }
}
