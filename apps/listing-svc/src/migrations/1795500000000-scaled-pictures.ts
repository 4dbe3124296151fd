import type { MigrationInterface, QueryRunner } from 'typeorm'

// The key under which the storage has a picture that was scaled to a width. A row may name an object that is not there: the
// picture is then made again.
const TABLE = `CREATE TABLE scaled_picture (
  source_hash text NOT NULL,
  width integer NOT NULL,
  hash text NOT NULL,
  PRIMARY KEY (source_hash, width)
)`

/** The table of the scaled pictures that were made. */
export class ScaledPictures1795500000000 implements MigrationInterface {
  readonly name = 'ScaledPictures1795500000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLE)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE scaled_picture')
  }
}
