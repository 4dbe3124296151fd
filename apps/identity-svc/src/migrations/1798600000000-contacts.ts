import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The people whom users want to find again. */
export class Contacts1798600000000 implements MigrationInterface {
  readonly name = 'Contacts1798600000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE contact (
      owner_id uuid NOT NULL REFERENCES users (id),
      user_id uuid NOT NULL REFERENCES users (id),
      added_at timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (owner_id, user_id),
      CHECK (owner_id <> user_id)
    )`)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE contact')
  }
}
