import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Nothing reads a payment's lease. The previous release still writes it; the release after this one drops the column. */
export class NoLease1764000000006 implements MigrationInterface {
  readonly name = 'NoLease1764000000006'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.payment ALTER lease_until DROP NOT NULL')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('UPDATE escrow.payment SET lease_until = created_at WHERE lease_until IS NULL')
    await queryRunner.query('ALTER TABLE escrow.payment ALTER lease_until SET NOT NULL')
  }
}
