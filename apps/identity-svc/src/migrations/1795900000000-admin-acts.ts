import { adminActTable } from '@holdfast/service-kit/audit/admin-act-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** The acts of admins on users and their sessions. */
export class AdminActs1795900000000 implements MigrationInterface {
  readonly name = 'AdminActs1795900000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of adminActTable('identity')) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE identity.admin_act')
  }
}
