import { FORGET } from '@holdfast/events/embedded/log-statements'
import { InboxCleanup } from '@holdfast/events/inbox/inbox-cleanup'
import { eventsPlan } from '@holdfast/events/migrations'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
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

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Shared Hit Blocks': number
  readonly 'Shared Read Blocks': number
  readonly Plans?: readonly PlanNode[]
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

type Query = (sql: string, values: unknown[]) => Promise<unknown[]>

/** Runs statements as escrow-svc does, and answers their plans and those of the statements inside of functions. */
async function plansOf(work: (query: Query) => Promise<unknown>): Promise<PlanNode[]> {
  const client = await database.admin.connect()
  const plans: PlanNode[] = []
  client.on('notice', ({ message = '' }) => plans.push(JSON.parse(message.slice(message.indexOf('{'))).Plan))
  await client.query(`LOAD 'auto_explain'; SET search_path = escrow; SET auto_explain.log_min_duration = 0;
    SET auto_explain.log_analyze = on; SET auto_explain.log_buffers = on; SET auto_explain.log_nested_statements = on;
    SET auto_explain.log_format = json; SET auto_explain.log_level = notice`)
  await work(async (sql, values) => (await client.query(sql, values)).rows)
  // The settings must not stay in the pool.
  client.release(true)
  return plans
}

const ROWS = 24_000
/** When a row was written: every fourth was long ago, and lies among the others. */
const AT = `now() - n * interval '1 second' - CASE WHEN n % 4 = 0 THEN interval '400 days' ELSE '0' END`

it.each<[table: string, index: string, row: string, clean: (query: Query) => Promise<unknown>]>([
  ['escrow.inbox', 'inbox_at', `'test', gen_random_uuid(), ${AT}`, query => new InboxCleanup({ query } as never).run()],
  [
    'escrow.idempotency_key',
    'idempotency_key_created_at',
    `gen_random_uuid(), 'route', 'key', '', '{}', ${AT}`,
    query => new IdempotencyCleanup({ query } as never).run(),
  ],
  [
    'escrow.webhook_event',
    'webhook_event_received_at',
    `n::text, 'kind', ${AT}`,
    query => query('SELECT forget_webhook_events($1)', [ROWS]),
  ],
  [
    'events.log',
    'log_published_at',
    `'escrow.transaction', 0, n, gen_random_uuid(), 'key', 'type', '{}', NULL, NULL, ${AT}, ${AT}`,
    query => query(FORGET, [7, 30, 20_000]),
  ],
])(
  'old rows of %s are deleted by the index %s, also when a quarter of the table is old',
  async (table, index, row, clean) => {
    const { admin } = database
    await admin.query(`TRUNCATE ${table}`)
    await admin.query(`INSERT INTO ${table} SELECT ${row} FROM generate_series(1, ${ROWS}) n`)
    await admin.query(`VACUUM ANALYZE ${table}`)
    const onTable = (nodes: PlanNode[]) => nodes.filter(node => table.endsWith(`.${node['Relation Name']}`))
    const types = onTable((await plansOf(clean)).flatMap(nodesOf)).map(node => node['Node Type'])
    expect(types).toContain('Tid Scan')
    expect(types).not.toContain('Seq Scan')
    const { rows } = await admin.query(`SELECT count(*)::int AS count FROM ${table}`)
    expect(rows).toEqual([{ count: (3 / 4) * ROWS }])

    await admin.query(`VACUUM ANALYZE ${table}`)
    const idle = (await plansOf(clean)).filter(plan => onTable(nodesOf(plan)).length > 0)
    expect(idle.flatMap(nodesOf).map(node => node['Index Name'])).toContain(index)
    for (const plan of idle) expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(FEW_PAGES)
  },
)

it('no index is a block range index, which never forgets the times of rows that were deleted', async () => {
  const { rows } = await database.admin.query(
    `SELECT relname FROM pg_class JOIN pg_am am ON am.oid = relam WHERE am.amname = 'brin'`,
  )
  expect(rows).toEqual([])
})
