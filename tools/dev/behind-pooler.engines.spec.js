import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startPgBouncer } from '@holdfast/engines/pgbouncer'
import { TestDatabase } from '@holdfast/test-database/test-database'
import pg from 'pg'
import { faultsBehindPooler } from './behind-pooler.js'

/** The path of pgbouncer. The tests on it run where this names one, and fail in CI where it does not. */
const { PGBOUNCER = '' } = process.env
const ROLES = ['pooled_svc', 'direct_svc']

const withPooler = PGBOUNCER || process.env.CI ? describe : describe.skip
withPooler('the check of services behind pgbouncer', () => {
  let database
  let pooler
  let urls
  let client
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pgbouncer-'))
  beforeAll(async () => {
    database = await TestDatabase.create(async ({ admin }) => {
      for (const role of ROLES) await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD 'password'`)
    })
    const passwords = Object.fromEntries(ROLES.map(role => [role, 'password']))
    pooler = await startPgBouncer(folder, PGBOUNCER, Number(new URL(database.url()).port), passwords)
    const urlOf = role => Object.assign(new URL(database.url({ role, password: 'password' })), { port: pooler.port })
    urls = Object.fromEntries(ROLES.map(role => [role, urlOf(role).href]))
    client = new pg.Client({ connectionString: urls.pooled_svc })
    await client.connect()
  })
  afterAll(async () => {
    await client.end()
    await pooler.process.stop()
    await database.drop(...ROLES)
    fs.rmSync(folder, { recursive: true })
  })

  it('names a role that goes around it, and finds nothing in transactions that keep to themselves', async () => {
    await client.query('BEGIN')
    await client.query('SELECT $1::int', [1])
    await client.query("SET LOCAL statement_timeout = '7s'")
    await client.query('SELECT pg_advisory_xact_lock(1)')
    await client.query('COMMIT')
    expect(await faultsBehindPooler(urls)).toEqual(['direct_svc goes around the pooler'])
  })

  it.each([
    ["SET statement_timeout = '7s'", 'the setting statement_timeout'],
    ['PREPARE one AS SELECT 1', 'a prepared statement: PREPARE one AS SELECT 1'],
    ['LISTEN news', 'LISTEN news'],
    ['SELECT pg_advisory_lock(1)', 'a lock'],
    ['CREATE TEMPORARY TABLE notes (id int)', 'a temporary table: notes'],
  ])('finds what %s leaves', async (statement, state) => {
    await client.query(statement)
    expect(await faultsBehindPooler(urls)).toContain(`pooled_svc leaves in a session of the pooler ${state}`)
  })
})
