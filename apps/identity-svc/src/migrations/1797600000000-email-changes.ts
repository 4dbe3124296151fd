import type { MigrationInterface, QueryRunner } from 'typeorm'

const STATEMENTS = [
  'ALTER TABLE mailed_token DROP CONSTRAINT mailed_token_purpose_check',
  `ALTER TABLE mailed_token ADD CONSTRAINT mailed_token_purpose_check
     CHECK (purpose IN ('confirm_email', 'change_email', 'reset_password'))`,
]

/** Links that are mailed to a new address. */
export class EmailChanges1797600000000 implements MigrationInterface {
  readonly name = 'EmailChanges1797600000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('tokens of this kind may exist: restore a backup instead')
  }
}
