import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The provider is also asked about refunds that operators made there by hand. Those that are not final are due now. */
export class AskedProviderRefunds1795420000000 implements MigrationInterface {
  readonly name = 'AskedProviderRefunds1795420000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE escrow.refund SET due_at = now() WHERE status = 'sent' AND due_at IS NULL`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE escrow.refund SET due_at = NULL WHERE status = 'sent' AND origin <> 'us'`)
  }
}
