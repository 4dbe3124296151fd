import type { MigrationInterface, QueryRunner } from 'typeorm'

/** An index for the export of what a person has written. */
export class MessagesOfAPerson1799740000000 implements MigrationInterface {
  readonly name = 'MessagesOfAPerson1799740000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX messages_by_sender ON messages (sender_id, sequence) WHERE sender_id IS NOT NULL',
    )
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX messages_by_sender')
  }
}
