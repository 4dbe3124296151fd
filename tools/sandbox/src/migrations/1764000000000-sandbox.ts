import type { MigrationInterface, QueryRunner } from 'typeorm'

const TABLES = [
  // `n` keeps the order in which records came. `value` is written and read whole: no query looks into it.
  `CREATE TABLE record (
    collection text NOT NULL,
    id text NOT NULL,
    value json NOT NULL,
    n bigint GENERATED ALWAYS AS IDENTITY,
    PRIMARY KEY (collection, id)
  )`,
  // The one process that may write. A process that starts puts its own token here; older ones are then refused.
  `CREATE TABLE writer (
    id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    token uuid NOT NULL
  )`,
]

export class Sandbox1764000000000 implements MigrationInterface {
  readonly name = 'Sandbox1764000000000'

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await queryRunner.query(statement)
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE record, writer')
  }
}
