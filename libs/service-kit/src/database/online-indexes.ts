import type { MigrationInterface, QueryRunner } from 'typeorm'

/** An index as SQL writes it behind `CREATE INDEX … `: the name, and `table (columns)`. */
export type IndexesByName = Readonly<Record<string, string>>

/**
 * A migration that adds indexes to tables in use. Each is built without blocking writes (`CREATE INDEX CONCURRENTLY`), which
 * PostgreSQL does only outside of a dbTx. A run that was cut off leaves an invalid index. The next run removes it and begins
 * again.
 */
export abstract class OnlineIndexes implements MigrationInterface {
  readonly transaction = false

  abstract readonly name: string
  protected abstract readonly indexes: IndexesByName

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const [name, on] of Object.entries(this.indexes)) {
      await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
      await queryRunner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`)
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(this.indexes)) await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)
  }
}
