import { eventsPlan } from '@holdfast/events/migrations'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plansFor } from './plans.js'

let database: ScratchDatabase
beforeAll(async () => {
  database = await ScratchDatabase.make(...(await plansFor([])).filter(plan => plan !== eventsPlan))
})
afterAll(() => database.drop())

const DAYS = 8
const ROWS_A_DAY = 2_000
/** The pages of an index from its root to a row. */
const FEW_PAGES = 5

it('an old row is found without reading the others, also when newer rows have taken the space of deleted ones', async () => {
  const { admin } = database
  const timeOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day))
  const add = (day: number) =>
    admin.query(`INSERT INTO escrow.inbox SELECT 'test', gen_random_uuid(), $1 FROM generate_series(1, $2)`, [
      timeOf(day),
      ROWS_A_DAY,
    ])
  for (let day = 0; day < DAYS; day++) await add(day)
  for (let day = 0; day < DAYS; day++) {
    await admin.query('DELETE FROM escrow.inbox WHERE at = $1', [timeOf(day)])
    await admin.query('VACUUM ANALYZE escrow.inbox')
    await add(DAYS + day)
  }
  const { rows } = await admin.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
    'EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT event_id FROM escrow.inbox WHERE at < $1',
    [timeOf(DAYS)],
  )
  const { Plan: read } = rows[0]!['QUERY PLAN'][0]
  expect(read['Shared Hit Blocks']! + read['Shared Read Blocks']!).toBeLessThan(FEW_PAGES)
})

it('no index is a block range index, which never forgets the times of rows that were deleted', async () => {
  const { rows } = await database.admin.query(
    `SELECT relname FROM pg_class JOIN pg_am am ON am.oid = relam WHERE am.amname = 'brin'`,
  )
  expect(rows).toEqual([])
})
