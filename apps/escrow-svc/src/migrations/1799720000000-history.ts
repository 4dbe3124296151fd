import type { MigrationInterface, QueryRunner } from 'typeorm'

const UP = [
  // The card of a payment as its receipt names it. Null for another method, and until the provider has told it.
  `ALTER TABLE escrow.payment ADD COLUMN card_brand text, ADD COLUMN card_last4 text,
     ADD CONSTRAINT payment_card CHECK ((card_brand IS NULL) = (card_last4 IS NULL))`,
  // The payments of a user, newest first.
  'CREATE INDEX payment_user ON escrow.payment (user_id, id DESC)',
  'CREATE INDEX chargeback_payment ON escrow.chargeback (payment_id)',
]

/** What the history of a user's money and its receipts need. */
export class History1799720000000 implements MigrationInterface {
  readonly name = 'History1799720000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of ['chargeback_payment', 'payment_user']) await queryRunner.query(`DROP INDEX escrow.${index}`)
    await queryRunner.query('ALTER TABLE escrow.payment DROP COLUMN card_brand, DROP COLUMN card_last4')
  }
}
