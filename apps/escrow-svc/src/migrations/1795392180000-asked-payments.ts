import type { MigrationInterface, QueryRunner } from 'typeorm'

/** When the provider was last asked about a payment, and the payments to ask about after a start. */
export class AskedPayments1795392180000 implements MigrationInterface {
  readonly name = 'AskedPayments1795392180000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.payment ADD COLUMN asked_at timestamptz')
    await queryRunner.query(
      `CREATE INDEX payment_waiting ON escrow.payment (updated_at) WHERE status IN ('open', 'processing') AND NOT stray`,
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX escrow.payment_waiting')
    await queryRunner.query('ALTER TABLE escrow.payment DROP COLUMN asked_at')
  }
}
