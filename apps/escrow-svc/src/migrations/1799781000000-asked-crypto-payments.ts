import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // How often the processor was asked about a payment, and which of its answers was recorded last: an older one changes nothing.
  'ALTER TABLE escrow.crypto_payment ADD COLUMN asks int NOT NULL DEFAULT 0, ADD COLUMN recorded_ask int NOT NULL DEFAULT 0',
  // When the processor refused a withdrawal: nothing was sent for it.
  'ALTER TABLE escrow.crypto_withdrawal ADD COLUMN refused_at timestamptz',
  'CREATE INDEX crypto_withdrawal_refund ON escrow.crypto_withdrawal (refund_id)',
  // The previous migration has added these checks. Each migration is a dbTx of its own, so no other dbTx waits while the rows are read.
  'ALTER TABLE escrow.posting VALIDATE CONSTRAINT posting_debit_check',
  'ALTER TABLE escrow.posting VALIDATE CONSTRAINT posting_credit_check',
]

/** The order of the crypto processor's answers, and the withdrawals that it has refused. */
export class AskedCryptoPayments1799781000000 implements MigrationInterface {
  readonly name = 'AskedCryptoPayments1799781000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('payments are never dropped: restore a backup instead')
  }
}
