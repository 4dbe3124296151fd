import { eventTables } from '@holdfast/events/migrations'
import { ATTEMPTS_TABLE } from '@holdfast/service-kit/auth/attempts-table'
import { idempotencyTable } from '@holdfast/service-kit/idempotency/idempotency-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

const TABLES = [
  // The deals and their parties, from the events of escrow-svc. Only the parties may write in the chat.
  `CREATE TABLE deals (
    transaction_id bigint PRIMARY KEY,
    buyer_id uuid NOT NULL,
    seller_id uuid NOT NULL,
    title text NOT NULL,
    hidden boolean NOT NULL
  )`,
  `CREATE TABLE messages (
    id uuid PRIMARY KEY,
    transaction_id bigint NOT NULL REFERENCES deals (transaction_id),
    sender_id uuid,
    content text NOT NULL,
    created_at timestamptz NOT NULL,
    sequence bigint GENERATED ALWAYS AS IDENTITY
  )`,
  // `sequence` keeps messages of the same moment in the order in which they were written.
  'CREATE INDEX messages_by_deal ON messages (transaction_id, created_at, sequence)',
  `CREATE TABLE notifications (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL,
    type text NOT NULL CHECK (type IN ('transaction', 'message', 'security')),
    title text NOT NULL,
    message text NOT NULL,
    transaction_id bigint,
    created_at timestamptz NOT NULL,
    sequence bigint GENERATED ALWAYS AS IDENTITY,
    read_at timestamptz
  )`,
  'CREATE INDEX notifications_by_user ON notifications (user_id, created_at, sequence)',
  'CREATE INDEX notifications_unread ON notifications (user_id) WHERE read_at IS NULL',
  // A user has one unread notification for all unread messages of a deal.
  `CREATE UNIQUE INDEX notifications_unread_chat ON notifications (user_id, transaction_id)
    WHERE type = 'message' AND read_at IS NULL`,
  ...idempotencyTable('messaging'),
  ...ATTEMPTS_TABLE,
]

/** Deals and their messages, notifications, idempotency keys, counters of attempts, outbox and inbox. */
export class Conversations1795305600000 implements MigrationInterface {
  readonly name = 'Conversations1795305600000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of [...TABLES, ...eventTables('messaging')]) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP FUNCTION forget_idempotency_keys(int)')
    await queryRunner.query('DROP TABLE inbox, outbox, attempts, idempotency_key, notifications, messages, deals')
  }
}
