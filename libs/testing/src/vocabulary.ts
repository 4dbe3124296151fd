import type { MigrationPlan } from '@holdfast/service-kit/database/migrations'
import type { Pool } from 'pg'
import { ScratchDatabase } from './scratch-database.js'

/** A column with a check constraint, and the values that the code may write into it. */
type Vocabulary = readonly [table: string, column: string, values: readonly string[]]

/** Tests that a service's migrated database accepts exactly the values that its code knows. A missing migration fails it. */
export function describeVocabulary(plan: MigrationPlan, columns: readonly Vocabulary[]): void {
  describe('the migrated database', () => {
    let database: ScratchDatabase
    beforeAll(async () => {
      database = await ScratchDatabase.make(plan)
    })
    afterAll(() => database.drop())

    test.each(columns)('accepts in %s.%s exactly the values that the code may write', async (table, column, values) => {
      expect(await allowedValues(database.admin, `${plan.schema}.${table}`, column)).toEqual([...values].sort())
    })
  })
}

/** The values that a column's own check accepts: those of `IN (…)`, or of a pattern `^(…|…)`. Sorted; null without such a check. */
async function allowedValues(admin: Pool, table: string, column: string): Promise<string[] | null> {
  const { rows } = await admin.query<{ check: string }>(
    `SELECT pg_get_constraintdef(c.oid) AS check FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid
      WHERE c.contype = 'c' AND c.conrelid = $1::regclass AND a.attname = $2 AND c.conkey = ARRAY[a.attnum]`,
    [table, column],
  )
  const lists = rows.flatMap(({ check }) => listIn(check) ?? [])
  return lists.length === 0 ? null : lists.sort()
}

function listIn(check: string): string[] | null {
  if (check.includes('= ANY (ARRAY[')) return [...check.matchAll(/'([^']*)'::text/g)].map(([, value]) => value!)
  const [, kinds] = /~ '\^\(([\w|]+)\)/.exec(check) ?? []
  return kinds?.split('|') ?? null
}
