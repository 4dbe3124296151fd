import type { MigrationInterface, QueryRunner } from 'typeorm'
import { allowEntryKind } from './allow-entry-kind.js'

const STATEMENTS = [
  `ALTER TABLE escrow.payment
     -- Of money that no payment took: what the payer's bank has taken back of it before it was refunded.
     ADD COLUMN reversed_minor bigint NOT NULL DEFAULT 0 CHECK (reversed_minor >= 0),
     -- After a restore: whether its refund was sent is not known, so an operator decides first.
     ADD COLUMN refunds_wait boolean NOT NULL DEFAULT false`,
  allowEntryKind('stray_payment_reversed'),
]

/** What banks take back of transfers that no payment took, and the refunds that wait for an operator after a restore. */
export class TakenBackTransfers1799786040003 implements MigrationInterface {
  readonly name = 'TakenBackTransfers1799786040003'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('what was taken back is never dropped: restore a backup instead')
  }
}
