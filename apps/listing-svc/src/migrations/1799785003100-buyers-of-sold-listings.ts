import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // The buyer of the deal that was completed.
  'ALTER TABLE listing ADD COLUMN sold_to uuid',
  // Of several users who have opened a deal on a listing, nobody here knows who bought it.
  `UPDATE listing l SET sold_to = b.buyers[1]
     FROM (SELECT listing_id, array_agg(buyer_id) AS buyers FROM listing_buyer GROUP BY listing_id) b
     WHERE b.listing_id = l.id AND l.status = 'sold' AND cardinality(b.buyers) = 1`,
]

/** Who has bought a listing that is sold. */
export class BuyersOfSoldListings1799785003100 implements MigrationInterface {
  readonly name = 'BuyersOfSoldListings1799785003100'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE listing DROP COLUMN sold_to')
  }
}
