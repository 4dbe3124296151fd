import { commandLineActs } from '@holdfast/service-kit/audit/admin-act-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Acts of the command line are kept as those of admins are. */
export class CommandLineActs1796540000000 implements MigrationInterface {
  readonly name = 'CommandLineActs1796540000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of commandLineActs('escrow')) await queryRunner.query(statement)
  }

  async down(): Promise<void> {
    throw new Error('acts are never dropped: restore a backup instead')
  }
}
