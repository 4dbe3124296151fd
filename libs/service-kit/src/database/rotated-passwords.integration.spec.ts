import { setTimeout as sleep } from 'node:timers/promises'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { type ServiceProcess, startServiceProcess } from '../../test/service-process.js'
import { ACTOR_KEYS, callSigned } from '../../test/signed-calls.js'
import { MakeThings1700000000001 } from '../../test/tiny-service.js'
import { applyMigrations } from './migrations.js'

const WITHIN_MS = 20_000

let database: ScratchDatabase
let role: string
const running: ServiceProcess[] = []

beforeAll(async () => {
  database = await createScratchDatabase()
  role = database.roles.listing
})
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL')
    await ended
  }
})
afterAll(async () => {
  await database.drop()
})

const asAdmin = (sql: string) => database.query(database.adminUrl, sql)

async function migrate(passwords: Record<string, string>): Promise<void> {
  const plan = { service: 'listing-svc', role, schema: 'listing', migrations: [MakeThings1700000000001] }
  await applyMigrations({ adminUrl: database.adminUrl, plans: [plan], passwords })
}

/** Starts a service with a login. Answers the status of a request that needs the database. */
async function start(login: string, password: string): Promise<() => Promise<number>> {
  const url = new URL(database.adminUrl)
  Object.assign(url, { username: login, password })
  const service = startServiceProcess({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, DATABASE_URL: url.href })
  running.push(service)
  const { port } = await service.logged('listing-svc is ready')
  return async () => (await callSigned(`http://127.0.0.1:${port}`, { path: '/api/rows' })).status
}

async function becomes(status: number, ask: () => Promise<number>): Promise<void> {
  const until = Date.now() + WITHIN_MS
  while ((await ask()) !== status) {
    if (Date.now() > until) throw new Error(`the status did not become ${status}`)
    await sleep(50)
  }
}

const endSessionsOf = (login: string) =>
  asAdmin(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${login}'`)

it('a password that is replaced in place ends no session, and refuses new ones until it is back', async () => {
  await migrate({ [role]: 'the first password' })
  const ask = await start(role, 'the first password')
  expect(await ask()).toBe(200)
  await migrate({ [role]: 'another password' })
  expect(await ask()).toBe(200)
  // As after a minute, when a pool replaces its connections.
  await endSessionsOf(role)
  await becomes(503, ask)
  await migrate({ [role]: 'the first password' })
  await becomes(200, ask)
})

it('with a second login there is always one that is accepted', async () => {
  const second = `${role}_2`
  await migrate({ [role]: 'the first password' })
  const old = await start(role, 'the first password')
  await migrate({ [role]: 'the first password', [second]: 'the second password' })
  const next = await start(second, 'the second password')
  expect([await old(), await next()]).toEqual([200, 200])

  // Every replica has the second login now, so the first one is locked.
  await migrate({ [role]: 'nobody has this password', [second]: 'the second password' })
  await endSessionsOf(role)
  await endSessionsOf(second)
  await becomes(503, old)
  await becomes(200, next)

  const session = await database.query(
    Object.assign(new URL(database.adminUrl), { username: second, password: 'the second password' }).href,
    `SELECT current_user AS acts_as, current_setting('search_path') AS path`,
  )
  expect(session).toEqual([{ acts_as: role, path: 'listing' }])
  await asAdmin(`DROP OWNED BY ${second}; DROP ROLE ${second}`)
})
