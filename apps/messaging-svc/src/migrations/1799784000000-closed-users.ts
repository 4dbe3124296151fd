import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The users whose accounts were closed. No notification is added for them. */
export class ClosedUsers1799784000000 implements MigrationInterface {
  readonly name = 'ClosedUsers1799784000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE TABLE closed_user (user_id uuid PRIMARY KEY)')
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE closed_user')
  }
}
