import type { MigrationInterface, QueryRunner } from 'typeorm'

// The listings on sale are counted from this index alone, without reading their rows.
const INDEX = `CREATE INDEX listing_facets ON listing (category, condition, price_minor) WHERE status = 'active' AND NOT is_private`

/** What the listings on sale are counted by. */
export class Facets1798310000000 implements MigrationInterface {
  readonly name = 'Facets1798310000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(INDEX)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX listing_facets')
  }
}
