import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type PgBouncerEngine, startPgBouncer } from '@holdfast/engines/pgbouncer'
import { sessionSettings } from '@holdfast/service-kit/database/connection-settings'
import { eventually } from '@holdfast/testing/eventually'
import { untilServed } from '@holdfast/testing/until-served'
import { manyInInspection } from '../test/many-deals.js'
import { eventDifferences, waitingEvents } from '../test/published-events.js'
import { RunningEscrow } from '../test/running-escrow.js'
import { plan } from './migrations/plan.js'

const DEALS = 40
const PUBLISHED_WITHIN_MS = 20_000
/** The path of pgbouncer. The tests on it run where this names one, and fail in CI where it does not. */
const { PGBOUNCER } = process.env

/** What TypeORM's connections have, in the units of the server. */
async function settingsOf(escrow: RunningEscrow): Promise<Record<string, string>> {
  const names = Object.keys(sessionSettings(plan.schema))
  const rows: { name: string; setting: string }[] = await escrow.dataSource.query(
    'SELECT name, setting FROM pg_settings WHERE name = ANY($1)',
    [names],
  )
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

describe('a service whose ordinary connections bring no settings', () => {
  let escrow: RunningEscrow
  beforeAll(async () => {
    escrow = await RunningEscrow.start(async ({ database }) => ({ directUrl: database.url('escrow_svc') }))
  })
  afterAll(() => escrow.stop())

  it('has those of its role', async () => {
    expect(await settingsOf(escrow)).toEqual(sessionSettings(plan.schema))
    const { rows } = await escrow.database.admin.query(
      `SELECT setconfig FROM pg_db_role_setting WHERE setrole = 'escrow_svc'::regrole AND setdatabase = 0`,
    )
    expect(rows).toHaveLength(1)
  })
})

const withPooler = PGBOUNCER || process.env.CI ? describe : describe.skip
withPooler('a service behind pgbouncer in transaction mode', () => {
  let escrow: RunningEscrow
  let pooler: PgBouncerEngine
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pgbouncer-'))
  beforeAll(async () => {
    escrow = await RunningEscrow.start(async ({ database }) => {
      const url = new URL(database.url('escrow_svc'))
      const directUrl = url.href
      pooler = await startPgBouncer(folder, PGBOUNCER!, Number(url.port), { [url.username]: url.password })
      url.port = String(pooler.port)
      return { directUrl, databaseUrl: url.href }
    })
  })
  afterAll(async () => {
    await escrow.stop()
    await pooler.process.stop()
    fs.rmSync(folder, { recursive: true })
  })

  it('has the settings of its role', async () => {
    expect(await settingsOf(escrow)).toEqual(sessionSettings(plan.schema))
  })

  it('moves the money of many deals at once, publishes every event, and is right', async () => {
    const deals = await manyInInspection(escrow, DEALS)
    const answers = await Promise.all(deals.map(({ id, buyer }) => untilServed(() => escrow.act(id, buyer, 'accept'))))
    expect(answers.map(({ status }) => status)).toEqual(deals.map(() => 200))
    await eventually(async () => (await waitingEvents(escrow.database.admin)) === 0, PUBLISHED_WITHIN_MS)
    expect(await eventDifferences(escrow.database.admin)).toEqual([])
    expect(await escrow.violations()).toEqual([])
  })

  it('goes on when a session of the server ends', async () => {
    await escrow.database.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'escrow_svc' AND datname = current_database()`,
    )
    // Commands that lost their session are repeated, as a client does after 503.
    const deals = await manyInInspection(escrow, 3)
    expect(deals).toHaveLength(3)
    expect(await escrow.violations()).toEqual([])
  })
})
