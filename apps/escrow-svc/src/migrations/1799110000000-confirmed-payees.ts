import type { MigrationInterface, QueryRunner } from 'typeorm'

// Until an event says otherwise, an address counts as confirmed: users of earlier releases go on to be paid out. A new user is paid
// nothing before an event says that they are verified, and that event says this, too.
const COLUMN = 'ALTER TABLE payout_account ADD COLUMN email_confirmed boolean NOT NULL DEFAULT true'

/** Whether the receivers of payouts have confirmed their e-mail addresses. */
export class ConfirmedPayees1799110000000 implements MigrationInterface {
  readonly name = 'ConfirmedPayees1799110000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(COLUMN)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE payout_account DROP COLUMN email_confirmed')
  }
}
