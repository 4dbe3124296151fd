import type { MigrationInterface, QueryRunner } from 'typeorm'

const TABLES = ['timeline', 'clock_entry']

/**
 * The steps of a deal and the changes of its clock are ordered by the deal's version, not by ids that carry the time of the
 * replica that wrote them. Older rows keep version 0 and are ordered by their ids. A deal also keeps the text of its terms
 * whose hash was accepted; for older deals it is not known.
 */
export class VersionsAndTerms1795332000000 implements MigrationInterface {
  readonly name = 'VersionsAndTerms1795332000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await queryRunner.query(`ALTER TABLE escrow.${table} ADD COLUMN version int NOT NULL DEFAULT 0`)
      await queryRunner.query(`CREATE INDEX ${table}_version ON escrow.${table} (transaction_id, version, id)`)
      await queryRunner.query(`DROP INDEX escrow.${table}_transaction`)
    }
    await queryRunner.query('ALTER TABLE escrow.transaction ADD COLUMN terms_text text')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE escrow.transaction DROP COLUMN terms_text')
    for (const table of TABLES) {
      await queryRunner.query(`CREATE INDEX ${table}_transaction ON escrow.${table} (transaction_id, id)`)
      await queryRunner.query(`ALTER TABLE escrow.${table} DROP COLUMN version`)
    }
  }
}
