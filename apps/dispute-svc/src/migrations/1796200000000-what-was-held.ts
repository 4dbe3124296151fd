import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // What the deal held of the price when an amount was proposed or ruled, and what it must hold when that is posted.
  'ALTER TABLE proposal ADD COLUMN held_minor bigint',
  'ALTER TABLE ruling ADD COLUMN held_minor bigint',
  'ALTER TABLE dispute ADD COLUMN settle_held_minor bigint',
  // The stop of a deal for which the system filed a dispute.
  'ALTER TABLE dispute ADD COLUMN stopped_at_version integer',
]

/** What was held when an amount was decided, and which stop of its deal a dispute of the system is about. */
export class WhatWasHeld1796200000000 implements MigrationInterface {
  readonly name = 'WhatWasHeld1796200000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('decisions would lose what they are about: restore a backup instead')
  }
}
