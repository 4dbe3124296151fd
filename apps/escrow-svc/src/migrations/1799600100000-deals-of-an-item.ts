import type { MigrationInterface, QueryRunner } from 'typeorm'

const UP = [
  'ALTER TABLE escrow.transaction ADD COLUMN item_id bigint',
  // An item that was listed again has several listings. The index on the listing alone stays: the previous release needs it.
  `CREATE UNIQUE INDEX transaction_item ON escrow.transaction ((coalesce(item_id, listing_id))) WHERE status <> 'cancelled'`,
]

/** The item of a deal: its first listing, when the deal's listing was made from another one. An item has one deal at a time. */
export class DealsOfAnItem1799600100000 implements MigrationInterface {
  readonly name = 'DealsOfAnItem1799600100000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of UP) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX escrow.transaction_item')
    await queryRunner.query('ALTER TABLE escrow.transaction DROP COLUMN item_id')
  }
}
