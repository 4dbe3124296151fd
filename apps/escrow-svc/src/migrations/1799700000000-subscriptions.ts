import type { MigrationInterface, QueryRunner } from 'typeorm'
import { allowEntryKind } from './allow-entry-kind.js'

const STATEMENTS = [
  // One row for each user who has paid for Premium or saved a card: the user as the provider knows them.
  `CREATE TABLE escrow.customer (
    user_id uuid PRIMARY KEY,
    provider_customer_id text UNIQUE,
    attempt int NOT NULL DEFAULT 1 CHECK (attempt > 0),
    created_at timestamptz NOT NULL
  )`,
  `CREATE TABLE escrow.subscription (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL REFERENCES escrow.customer,
    interval text NOT NULL CHECK (interval IN ('month', 'year')),
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    currency text NOT NULL,
    status text NOT NULL CHECK (status IN ('creating', 'incomplete', 'active', 'past_due', 'ended')),
    -- The plan that the latest event of it has told.
    plan text NOT NULL DEFAULT 'standard' CHECK (plan IN ('standard', 'premium')),
    provider_subscription_id text UNIQUE,
    attempt int NOT NULL DEFAULT 1 CHECK (attempt > 0),
    period_ends_at timestamptz,
    cancels_at_period_end boolean NOT NULL DEFAULT false,
    past_due_since timestamptz,
    card_label text,
    ends_at_once boolean NOT NULL DEFAULT false,
    -- Counts the questions to the provider. An answer is recorded unless a later one was.
    asks int NOT NULL DEFAULT 0,
    recorded_ask int NOT NULL DEFAULT 0,
    asked_at timestamptz,
    due_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (status IN ('creating', 'ended') OR provider_subscription_id IS NOT NULL),
    CHECK ((status = 'past_due') = (past_due_since IS NOT NULL))
  ) WITH (fillfactor = 80)`,
  `CREATE UNIQUE INDEX subscription_open ON escrow.subscription (user_id) WHERE status <> 'ended'`,
  'CREATE INDEX subscription_user ON escrow.subscription (user_id, id DESC)',
  'CREATE INDEX subscription_due ON escrow.subscription (due_at) WHERE due_at IS NOT NULL',
  `CREATE TABLE escrow.subscription_invoice (
    id text PRIMARY KEY,
    subscription_id uuid NOT NULL REFERENCES escrow.subscription,
    user_id uuid NOT NULL,
    number text NOT NULL,
    status text NOT NULL CHECK (status IN ('open', 'paid', 'void')),
    amount_minor bigint NOT NULL CHECK (amount_minor >= 0),
    currency text NOT NULL,
    intent_id text UNIQUE,
    period_starts_at timestamptz NOT NULL,
    period_ends_at timestamptz NOT NULL,
    provider_fee_minor bigint,
    fee_due_at timestamptz,
    created_at timestamptz NOT NULL,
    paid_at timestamptz,
    CHECK ((status = 'paid') = (paid_at IS NOT NULL))
  )`,
  'CREATE INDEX subscription_invoice_user ON escrow.subscription_invoice (user_id, created_at DESC)',
  'CREATE INDEX subscription_invoice_fee_due ON escrow.subscription_invoice (fee_due_at) WHERE fee_due_at IS NOT NULL',
  // The rows are read without blocking writes.
  allowEntryKind('subscription_paid'),
  'ALTER TABLE escrow.journal_entry VALIDATE CONSTRAINT journal_entry_kind_check',
]

/** Users as customers of the provider, their subscriptions, and the invoices of these. */
export class Subscriptions1799700000000 implements MigrationInterface {
  readonly name = 'Subscriptions1799700000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('what was paid is never dropped: restore a backup instead')
  }
}
