import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { plan } from '../migrations/plan.js'
import { WRITE } from './deal-write.js'

describe('the statement that writes a command', () => {
  let database: ScratchDatabase
  beforeAll(async () => {
    database = await ScratchDatabase.make(plan)
  })
  afterAll(() => database.drop())

  it.each(WRITE.inserts)('declares for $table the types that its columns have', async ({ table, columns }) => {
    const { rows } = await database.admin.query<{ name: string; type: string }>(
      `SELECT attname AS name, typname AS type FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE attrelid = $1::regclass AND attname = ANY($2)`,
      [table, Object.keys(columns)],
    )
    const found = Object.fromEntries(rows.map(({ name, type }) => [name, SQL_NAMES[type] ?? type]))
    expect(found).toEqual(columns)
  })
})

/** PostgreSQL's internal names of types that have another name in SQL. */
const SQL_NAMES: Readonly<Record<string, string>> = {
  int8: 'bigint',
  int4: 'int',
  int2: 'smallint',
  bool: 'boolean',
}
