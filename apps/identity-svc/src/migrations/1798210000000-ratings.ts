import type { MigrationInterface, QueryRunner } from 'typeorm'

/** From what the mean of a user's ratings is calculated. */
export class Ratings1798210000000 implements MigrationInterface {
  readonly name = 'Ratings1798210000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE users
      ADD COLUMN rating_count integer NOT NULL DEFAULT 0 CHECK (rating_count >= 0),
      ADD COLUMN rating_sum integer NOT NULL DEFAULT 0 CHECK (rating_sum >= 0)`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN rating_count, DROP COLUMN rating_sum')
  }
}
