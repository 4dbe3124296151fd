import type { Pool } from 'pg'

/** The values that a column's own check lets in: those of `IN (…)`, or of a pattern `^(…|…)`. Sorted; null without such a check. */
export async function allowedValues(admin: Pool, table: string, column: string): Promise<string[] | null> {
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
