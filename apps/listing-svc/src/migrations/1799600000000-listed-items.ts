import type { MigrationInterface, QueryRunner } from 'typeorm'

// Null for the first listing of an item, so that the previous release goes on to insert listings.
const COLUMN = 'ALTER TABLE listing ADD COLUMN item_id bigint REFERENCES listing (id)'

// Listings that were made from another one before this migration.
const BACKFILL = `WITH RECURSIVE again (id, item_id) AS (
    SELECT relisted_as, id FROM listing first
      WHERE relisted_as IS NOT NULL AND NOT EXISTS (SELECT FROM listing o WHERE o.relisted_as = first.id)
    UNION ALL
    SELECT l.relisted_as, a.item_id FROM again a JOIN listing l ON l.id = a.id WHERE l.relisted_as IS NOT NULL
  ) UPDATE listing l SET item_id = a.item_id FROM again a WHERE l.id = a.id`

/** The item of listings that were made from another one. All listings of an item have one deal at a time. */
export class ListedItems1799600000000 implements MigrationInterface {
  readonly name = 'ListedItems1799600000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(COLUMN)
    await queryRunner.query(BACKFILL)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE listing DROP COLUMN item_id')
  }
}
