import type { MigrationInterface, QueryRunner } from 'typeorm'

/** A deal remembers which of its disputes have ended, so that a call that arrives late cannot freeze it for one of them. */
export class EndedDisputes1795330000000 implements MigrationInterface {
  readonly name = 'EndedDisputes1795330000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE escrow.transaction ADD COLUMN ended_disputes bigint[] NOT NULL DEFAULT '{}'`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.transaction DROP COLUMN ended_disputes')
  }
}
