import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Of the answers that were kept for payments only the payment's id is needed. They had the secret with which a browser pays. */
export class SecretsOfPayments1799786040002 implements MigrationInterface {
  readonly name = 'SecretsOfPayments1799786040002'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `UPDATE escrow.idempotency_key SET answer = jsonb_build_object('paymentId', answer -> 'paymentId') WHERE route = 'payments'`,
    )
  }

  async down(): Promise<void> {
    // What was removed is at the provider.
  }
}
