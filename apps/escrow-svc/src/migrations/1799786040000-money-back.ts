import type { MigrationInterface, QueryRunner } from 'typeorm'
import { allowEntryKind } from './allow-entry-kind.js'

const STATEMENTS = [
  `ALTER TABLE escrow.subscription
     ADD COLUMN money_back text CHECK (money_back IN ('refund', 'chargeback')),
     ADD COLUMN cancel_reason text CHECK (cancel_reason IN ('suspension', 'chargeback'))`,
  `ALTER TABLE escrow.subscription_invoice
     ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
     ADD COLUMN charged_back_minor bigint NOT NULL DEFAULT 0 CHECK (charged_back_minor >= 0),
     ADD COLUMN is_chargeback_lost boolean NOT NULL DEFAULT false,
     ADD COLUMN chargeback_fee_minor bigint NOT NULL DEFAULT 0,
     ADD COLUMN return_asks int NOT NULL DEFAULT 0,
     ADD COLUMN recorded_return_ask int NOT NULL DEFAULT 0`,
  // The latest news of whether a user is suspended.
  `CREATE TABLE escrow.suspension (
    user_id uuid PRIMARY KEY,
    is_suspended boolean NOT NULL,
    at timestamptz NOT NULL
  )`,
  allowEntryKind('subscription_returned'),
]

/** What went back of the invoices of Premium, why we cancel a subscription, and who is suspended. */
export class MoneyBack1799786040000 implements MigrationInterface {
  readonly name = 'MoneyBack1799786040000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('what went back is never dropped: restore a backup instead')
  }
}
