import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@holdfast/kernel/ids'
import pg from 'pg'
import { DataSource, type EntityManager } from 'typeorm'
import { startCollector } from '../../test/collector.js'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { refusalOf } from '../http/refusal.js'
import { registry } from '../telemetry/metrics.js'
import { beginTrace, startTelemetry, stopTelemetry, withSpan } from '../telemetry/telemetry.js'
import { isUnanswered } from './database-trouble.js'
import { GuardedClient } from './guarded-client.js'
import { createPool } from './pool.js'

let database: ScratchDatabase
let pool: pg.Pool

beforeAll(async () => {
  database = await createScratchDatabase()
  await database.query(database.adminUrl, 'create schema escrow; create table escrow.thing (id bigint)')
  pool = createPool(database.adminUrl, { schema: 'escrow', max: 2, forceGenericPlan: true })
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const one = async (sql: string, values: unknown[] = []) => (await pool.query(sql, values)).rows[0]

describe('createPool', () => {
  test('reads bigint and its arrays as BigInt, exactly', async () => {
    const row = await one(
      "select 9223372036854775807 as big, '{1,null,-9223372036854775808}'::bigint[] as bigs, 7 as small",
    )
    expect(row).toEqual({ big: 9223372036854775807n, bigs: [1n, null, -9223372036854775808n], small: 7 })
  })

  test('does not change the parsers of other pools', async () => {
    const other = new pg.Pool({ connectionString: database.adminUrl, max: 1 })
    expect((await other.query('select 7::bigint as big')).rows).toEqual([{ big: '7' }])
    await other.end()
  })

  test('finds unqualified names in its schema, and has time limits', async () => {
    await pool.query('insert into thing values ($1)', [1n])
    expect(await one('select id from thing')).toEqual({ id: 1n })
    const settings = await one(
      "select current_setting('search_path') as path, current_setting('statement_timeout') as statement, current_setting('plan_cache_mode') as plan, current_setting('application_name') as app",
    )
    expect(settings).toEqual({ path: 'escrow', statement: '10s', plan: 'force_generic_plan', app: 'escrow' })
  })

  test('takes the locks from a dbTx whose process hangs, before others are refused', async () => {
    await pool.query('insert into thing values ($1)', [3n])
    const hung = await pool.connect()
    hung.on('error', () => undefined)
    await hung.query('begin')
    await hung.query('update thing set id = $1 where id = $2', [4n, 3n])
    const { rowCount } = await pool.query('update thing set id = $1 where id = $2', [5n, 3n])
    expect(rowCount).toBe(1)
    hung.release(true)
  })

  test('measures every statement, of the pool and of one connection, successful or not', async () => {
    const measured = async () => {
      const shown = await registry.metrics()
      const part = (name: string) =>
        Number(
          new RegExp(`^db_client_operation_duration_seconds_${name}(?:\\{.*\\})? (.*)$`, 'm').exec(shown)?.[1] ?? 0,
        )
      return { statements: part('count'), seconds: part('sum') }
    }
    const before = await measured()
    await pool.query('select pg_sleep(0.2)')
    const client = await pool.connect()
    await client.query('select pg_sleep(0.2)')
    client.release()
    await expect(pool.query('select 1 / 0')).rejects.toThrow('division by zero')
    const after = await measured()
    expect(after.statements).toBe(before.statements + 3)
    expect(after.seconds - before.seconds).toBeGreaterThan(0.39)
  })

  test('does not reuse a connection whose server stopped answering during a query', async () => {
    const silent = new pg.Pool({
      connectionString: database.adminUrl,
      max: 1,
      query_timeout: 200,
      Client: GuardedClient,
    })
    silent.on('error', () => undefined)
    const pid = async (client: pg.ClientBase) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid
    const client = await silent.connect()
    const before = await pid(client)
    await expect(client.query('select pg_sleep(1)')).rejects.toThrow('Query read timeout')
    // TypeORM releases a connection in this way: without passing an error.
    client.release()
    const next = await silent.connect()
    expect(await pid(next)).not.toBe(before)
    next.release()
    await silent.end()
  })

  test('goes on after its connections were terminated, idle or in use', async () => {
    // Other specs have connections of this name to databases of their own on the same server.
    const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = $1 and datname = current_database()`
    await pool.query('select 1')
    const waiting = pool.query('select pg_sleep(5)').then(
      () => 'slept',
      () => 'broke',
    )
    await sleep(100)
    const admin = new pg.Client({ connectionString: database.adminUrl })
    await admin.connect()
    await admin.query(terminate, ['escrow'])
    await admin.end()
    expect(await waiting).toBe('broke')
    expect(await one('select 1 as one')).toEqual({ one: 1 })
  })
})

describe('a session that ends inside a dbTx', () => {
  let dataSource: DataSource
  beforeAll(async () => {
    dataSource = await new DataSource({
      type: 'postgres',
      url: database.adminUrl,
      poolErrorHandler: () => {},
    }).initialize()
  })
  afterAll(() => dataSource.destroy())

  /** PostgreSQL ends the session while the dbTx runs no query, and TypeORM has received the error. */
  async function endSession(manager: EntityManager): Promise<void> {
    const [{ pid }] = await manager.query('select pg_backend_pid() as pid')
    await pool.query('select pg_terminate_backend($1)', [pid])
    while (!manager.queryRunner!.isReleased) await new Promise(resolve => setImmediate(resolve))
  }

  test.each([
    ['its next statement', (manager: EntityManager) => manager.query('select 1')],
    ['its commit', async () => {}],
  ])('counts as an unreachable database for %s', async (_, next) => {
    const broken: unknown = await dataSource
      .transaction(async manager => {
        await endSession(manager)
        await next(manager)
      })
      .catch(error => error)
    expect(refusalOf(broken)).toMatchObject({ status: 503, code: 'UNAVAILABLE', fault: true })
    expect(isUnanswered(broken)).toBe(true)
    expect(await dataSource.query('select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('a statement in a recorded trace', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>
  beforeAll(async () => {
    collector = await startCollector()
    await startTelemetry('escrow-svc', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: 1 })
    await pool.query('insert into thing values (1)')
  })
  afterAll(async () => {
    await stopTelemetry()
    collector.close()
  })
  const inTrace = <T>(name: string, work: () => Promise<T>) => withSpan(beginTrace(newId(), name), work)

  test('has a span with its operation, its table and its name, and never a value', async () => {
    const dataSource = await new DataSource({
      type: 'postgres',
      url: database.adminUrl,
      extra: { Client: GuardedClient },
    }).initialize()
    const secret = 'ana@example.com'
    await inTrace('a command', async () => {
      await pool.query({ name: 'find-thing', text: 'select id, $1::text from thing', values: [secret] })
      await dataSource.transaction(manager =>
        manager.query("update escrow.thing set id = 2 where $1 = '4929'", [secret]),
      )
      await expect(pool.query('select $1::bigint from thing', [secret])).rejects.toThrow(secret)
    })
    await dataSource.destroy()
    await stopTelemetry()
    const [command] = collector.named('a command')
    const statements = collector.spans.filter(span => span.parentSpanId === command?.spanId)
    expect(
      statements.map(span => [span.name, span.attributes['holdfast.statement'], span.attributes['error.type']]),
    ).toEqual([
      ['SELECT thing', 'find-thing', undefined],
      ['START', undefined, undefined],
      ['UPDATE escrow.thing', undefined, undefined],
      ['COMMIT', undefined, undefined],
      ['SELECT thing', undefined, 'error 22P02'],
    ])
    for (const value of [secret, '4929']) expect(collector.text()).not.toContain(value)
    // The insert of `beforeAll` belongs to no trace.
    expect(collector.named('INSERT thing')).toEqual([])
  })

  test('that waited for a connection stays in the trace of its caller', async () => {
    await startTelemetry('escrow-svc', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: 1 })
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map(name =>
        inTrace(name, () => pool.query({ name, text: 'select pg_sleep(0.02) from thing limit 1' })),
      ),
    )
    await stopTelemetry()
    const found = ['a', 'b', 'c', 'd', 'e'].map(name => {
      const statement = collector.spans.find(span => span.attributes['holdfast.statement'] === name)
      return statement?.traceId === collector.named(name)[0]?.traceId
    })
    expect(found).toEqual([true, true, true, true, true])
  })
})
