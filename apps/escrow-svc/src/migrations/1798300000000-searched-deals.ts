import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // The title as the search reads it. It is null in rows that the release before this one wrote: they are found by their title.
  'ALTER TABLE escrow.transaction ADD COLUMN search_text text',
  `CREATE INDEX transaction_search ON escrow.transaction USING gin (to_tsvector('simple', coalesce(search_text, title)))`,
  // The deals of one user in a status that few of them have are found without reading the others.
  'CREATE INDEX transaction_buyer_status ON escrow.transaction (buyer_id, status, id DESC)',
  'CREATE INDEX transaction_seller_status ON escrow.transaction (seller_id, status, id DESC)',
]

/** What a user’s list of deals is searched and filtered by. */
export class SearchedDeals1798300000000 implements MigrationInterface {
  readonly name = 'SearchedDeals1798300000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of ['transaction_seller_status', 'transaction_buyer_status', 'transaction_search'])
      await queryRunner.query(`DROP INDEX escrow.${index}`)
    await queryRunner.query('ALTER TABLE escrow.transaction DROP COLUMN search_text')
  }
}
