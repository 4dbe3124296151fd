import type { MigrationInterface, QueryRunner } from 'typeorm'

// The listing that was made from this one. There is at most one, so that the item is on sale once.
const COLUMN = 'ALTER TABLE listing ADD COLUMN relisted_as bigint UNIQUE REFERENCES listing (id)'

/** Listings whose item was listed again. */
export class RelistedListings1798320000000 implements MigrationInterface {
  readonly name = 'RelistedListings1798320000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(COLUMN)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE listing DROP COLUMN relisted_as')
  }
}
