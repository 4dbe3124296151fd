import { forgetIdempotencyKeys } from '@holdfast/service-kit/idempotency/idempotency-table'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/** Old rows are deleted by an index, however many of them PostgreSQL expects. */
export class BoundedCleanups1799785002100 implements MigrationInterface {
  readonly name = 'BoundedCleanups1799785002100'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(forgetIdempotencyKeys('listing'))
  }

  async down(): Promise<void> {
    // What a function promises is as before.
  }
}
