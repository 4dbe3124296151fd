import { SERVICES } from '@holdfast/contracts/topology'
import pg from 'pg'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { type ServiceProcess, startServiceProcess } from '../../test/service-process.js'
import { ACTOR_KEYS } from '../../test/signed-calls.js'
import { MakeThings1700000000001 } from '../../test/tiny-service.js'
import type { DatabaseConfig } from '../lifecycle/config.js'
import { POOL_SIZE, requireConnections, sharesOfAll, sumOf } from './connection-limits.js'
import { applyMigrations } from './migrations.js'

let database: ScratchDatabase
let pool: pg.Pool
let running: ServiceProcess | undefined

beforeAll(async () => {
  database = await createScratchDatabase()
  const { adminUrl, passwords, roles } = database
  const plan = { service: 'listing-svc', role: roles.listing, schema: 'listing', migrations: [MakeThings1700000000001] }
  await applyMigrations({ adminUrl, passwords, plans: [plan] })
  pool = new pg.Pool({ connectionString: database.urlOf(roles.listing), max: 1 })
})
afterEach(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  running = undefined
  await asAdmin(`ALTER ROLE ${database.roles.listing} CONNECTION LIMIT -1`)
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const asAdmin = (sql: string) => database.query(database.adminUrl, sql)
const replicasOf = (replicas: Partial<DatabaseConfig['REPLICAS']>) =>
  ({ ...Object.fromEntries(SERVICES.map(name => [name, 1])), ...replicas }) as DatabaseConfig['REPLICAS']
const check = (connections: number, replicas: Partial<DatabaseConfig['REPLICAS']> = {}, pooler?: number) =>
  requireConnections(
    async sql => (await pool.query(sql)).rows,
    sharesOfAll('listing-svc', connections, { REPLICAS: replicasOf(replicas), POOLER_CONNECTIONS: pooler }),
    { NODE_ENV: 'production' },
  )
/** What one replica of each other service opens, and what is kept for others. */
const OTHERS = sumOf(sharesOfAll('listing-svc', 0, { REPLICAS: replicasOf({}) }))

describe('the connections of all replicas of all services', () => {
  it('must fit the server together, without what it reserves', async () => {
    const settings = await asAdmin(`SELECT current_setting('max_connections')::int AS max,
      current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int AS reserved`)
    const { max, reserved } = settings[0] as { max: number; reserved: number }
    expect(reserved).toBeGreaterThan(0)
    const left = max - reserved - OTHERS
    await check(left)
    await expect(check(left + 1)).rejects.toThrow(
      `up to ${max - reserved + 1} connections may be opened (REPLICAS × connections of each: listing-svc 1 × ${left + 1}, ` +
        'identity-svc 1 × 24, escrow-svc 1 × 23, dispute-svc 1 × 20, messaging-svc 1 × 16, gateway 1 × 8, others 1 × 10), ' +
        `and the server (max_connections without what is reserved) allows ${max - reserved}`,
    )
  })

  it('do not fit the server when another service has too many replicas', async () => {
    await check(8)
    await expect(check(8, { 'escrow-svc': 1_000 })).rejects.toThrow('escrow-svc 1000 × 23')
  })

  it('must fit the limit of the database together', async () => {
    const [{ name }] = (await asAdmin('SELECT quote_ident(current_database()) AS name')) as [{ name: string }]
    await asAdmin(`ALTER DATABASE ${name} CONNECTION LIMIT ${OTHERS + 8}`)
    await check(8)
    await expect(check(9)).rejects.toThrow(`(CONNECTION LIMIT) allows ${OTHERS + 8}`)
    await asAdmin(`ALTER DATABASE ${name} CONNECTION LIMIT -1`)
  })

  it('must fit the limit of the role, those of its own service alone', async () => {
    await asAdmin(`ALTER ROLE ${database.roles.listing} CONNECTION LIMIT 24`)
    await check(8, { 'listing-svc': 3 })
    await expect(check(8, { 'listing-svc': 4 })).rejects.toThrow(
      `up to 32 connections may be opened (REPLICAS × connections of each: listing-svc 4 × 8), and the role ` +
        `${database.roles.listing} (CONNECTION LIMIT) allows 24`,
    )
  })

  it('must fit with the sessions of the pooler: its own in the limit of the role, and all of them at the server', async () => {
    await asAdmin(`ALTER ROLE ${database.roles.listing} CONNECTION LIMIT 24`)
    const own = POOL_SIZE + 4
    await check(own, { 'listing-svc': 3 }, 12)
    await expect(check(own, { 'listing-svc': 3 }, 13)).rejects.toThrow(
      `up to 25 connections may be opened (REPLICAS × connections of each: listing-svc 3 × 4 + 13 of the pooler), and the role ` +
        `${database.roles.listing} (CONNECTION LIMIT) allows 24`,
    )
    await asAdmin(`ALTER ROLE ${database.roles.listing} CONNECTION LIMIT -1`)
    await expect(check(own, {}, 1_000)).rejects.toThrow(
      /messaging-svc 1 × 8 \+ 1000 of the pooler, gateway 1 × 8, others 1 × 10\), and the server/,
    )
  })
})

describe('a service whose replicas open more than its role may', () => {
  const REPLICAS = JSON.stringify(replicasOf({ 'listing-svc': 2 }))
  const start = async (env: Record<string, string>) => {
    await asAdmin(`ALTER ROLE ${database.roles.listing} CONNECTION LIMIT ${POOL_SIZE}`)
    const DATABASE_URL = database.urlOf(database.roles.listing)
    running = startServiceProcess({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, DATABASE_URL, ...env })
    return running
  }

  it('does not start in production', async () => {
    const process = await start({ NODE_ENV: 'production', REPLICAS })
    expect(await process.ended).toBe(1)
    expect(process.lines.at(-1)).toMatchObject({
      level: 'fatal',
      msg: 'the service could not start',
      err: { message: expect.stringMatching(/listing-svc 2 × 8\), and the role .* allows 8/) },
    })
  })

  it('says so elsewhere', async () => {
    const process = await start({ REPLICAS })
    await process.logged('listing-svc is ready')
    expect(process.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/listing-svc 2 × 8\), and the role/) }),
    )
  })

  it('does not start in production either when the other services open more than the server has', async () => {
    const process = await start({ NODE_ENV: 'production', REPLICAS: JSON.stringify(replicasOf({ gateway: 1_000 })) })
    expect(await process.ended).toBe(1)
    expect(process.lines.at(-1)).toMatchObject({
      err: { message: expect.stringMatching(/gateway 1000 × 8.*the server/) },
    })
  })

  it('starts in production as the only one', async () => {
    await (await start({ NODE_ENV: 'production' })).logged('listing-svc is ready')
  })
})
