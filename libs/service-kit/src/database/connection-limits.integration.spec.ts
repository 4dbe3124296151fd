import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { type ServiceProcess, startServiceProcess } from '../../test/service-process.js'
import { ACTOR_KEYS } from '../../test/signed-calls.js'
import { MakeThings1700000000001 } from '../../test/tiny-service.js'
import { requireConnections } from './connection-limits.js'
import { POOL_SIZE } from './database.module.js'
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
const check = (connections: number, replicas: number) =>
  requireConnections(async sql => (await pool.query(sql)).rows, connections, {
    REPLICAS: replicas,
    NODE_ENV: 'production',
  })

describe('the connections of all replicas', () => {
  it('must fit the server, without what it reserves', async () => {
    const settings = await asAdmin(`SELECT current_setting('max_connections')::int AS max,
      current_setting('superuser_reserved_connections')::int + current_setting('reserved_connections')::int AS reserved`)
    const { max, reserved } = settings[0] as { max: number; reserved: number }
    expect(reserved).toBeGreaterThan(0)
    await check(max - reserved, 1)
    await expect(check(max - reserved + 1, 1)).rejects.toThrow(
      `REPLICAS=1 of this service open up to ${max - reserved + 1} connections, ${max - reserved + 1} each, and the server ` +
        `(max_connections without what is reserved) allows ${max - reserved}`,
    )
  })

  it('must fit the limit of the role', async () => {
    await asAdmin(`ALTER ROLE ${database.roles.listing} CONNECTION LIMIT 24`)
    await check(8, 3)
    await expect(check(8, 4)).rejects.toThrow(
      `open up to 32 connections, 8 each, and the role ${database.roles.listing} (CONNECTION LIMIT) allows 24`,
    )
  })
})

describe('a service whose replicas open more than its role may', () => {
  const start = async (env: Record<string, string>) => {
    await asAdmin(`ALTER ROLE ${database.roles.listing} CONNECTION LIMIT ${POOL_SIZE}`)
    const DATABASE_URL = database.urlOf(database.roles.listing)
    running = startServiceProcess({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, DATABASE_URL, ...env })
    return running
  }

  it('does not start in production', async () => {
    const process = await start({ NODE_ENV: 'production', REPLICAS: '2' })
    expect(await process.ended).toBe(1)
    expect(process.lines.at(-1)).toMatchObject({
      level: 'fatal',
      msg: 'the service could not start',
      err: { message: expect.stringMatching(/^REPLICAS=2 of this service open up to 16 connections/) },
    })
  })

  it('says so elsewhere', async () => {
    const process = await start({ REPLICAS: '2' })
    await process.logged('listing-svc is ready')
    expect(process.lines).toContainEqual(
      expect.objectContaining({ level: 'warn', msg: expect.stringMatching(/^REPLICAS=2/) }),
    )
  })

  it('starts in production as the only one', async () => {
    await (await start({ NODE_ENV: 'production' })).logged('listing-svc is ready')
  })
})
