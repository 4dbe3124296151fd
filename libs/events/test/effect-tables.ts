import type { MigrationInterface, QueryRunner } from 'typeorm'
import { eventTables } from '../src/migrations.js'

/** The migration of a service of a test: its outbox and inbox, and the table `effect` that its handlers write. */
export const tablesOf = (schema: string) =>
  class Tables1764000000000 implements MigrationInterface {
    readonly name = 'Tables1764000000000'
    async up(queryRunner: QueryRunner): Promise<void> {
      for (const sql of eventTables(schema)) await queryRunner.query(sql)
      await queryRunner.query('CREATE TABLE effect (event_id uuid, request_id text)')
    }
    async down(): Promise<void> {}
  }
