import type { PeriodicCleanup } from '@holdfast/service-kit/database/periodic-cleanup'
import type { Pool } from 'pg'

/**
 * How PostgreSQL carries out a cleanup's statement when it avoids to read tables from end to end and to sort: the lines of the plan. Those
 * of a cleanup without an index for its order and condition have `Seq Scan` or `Sort` all the same.
 */
export async function cleanupPlan(admin: Pool, schema: string, { statement }: PeriodicCleanup): Promise<string> {
  const client = await admin.connect()
  try {
    await client.query('BEGIN')
    await client.query(
      `SET LOCAL search_path = ${schema}; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off`,
    )
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`, [1])
    return rows.map(row => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('ROLLBACK')
    client.release()
  }
}
