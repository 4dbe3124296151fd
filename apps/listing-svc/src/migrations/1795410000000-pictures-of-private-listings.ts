import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  // Finds the listings that have a picture.
  'CREATE INDEX listing_by_picture ON listing USING gin (image_hashes)',
  // The pictures that a listing had. Deals that were opened before their removal still show them.
  `CREATE TABLE removed_picture (
    hash text NOT NULL,
    listing_id bigint NOT NULL REFERENCES listing (id),
    PRIMARY KEY (hash, listing_id)
  )`,
  // The users who opened a deal on a listing, also when the deal has ended.
  `CREATE TABLE listing_buyer (
    listing_id bigint NOT NULL REFERENCES listing (id),
    buyer_id uuid NOT NULL,
    PRIMARY KEY (listing_id, buyer_id)
  )`,
]

/** What must be known to send the pictures of private listings only to those who may see them. */
export class PicturesOfPrivateListings1795410000000 implements MigrationInterface {
  readonly name = 'PicturesOfPrivateListings1795410000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE listing_buyer, removed_picture')
    await queryRunner.query('DROP INDEX listing_by_picture')
  }
}
