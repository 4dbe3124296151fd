import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { ScratchDatabase } from '@holdfast/testing/scratch-database'
import { SECRET_KEY, stripeAt } from '../../test/fixture.js'
import { plan } from '../migrations/plan.js'
import { PostgresStore } from './postgres-store.js'
import type { Change } from './store.js'

let database: ScratchDatabase
beforeAll(async () => {
  database = await ScratchDatabase.make(plan)
})
afterAll(() => database.drop())
beforeEach(() => database.admin.query('TRUNCATE sandbox.record'))

const open = () => PostgresStore.open(database.url(plan.role))
const put = (id: string, text: string): Change => ['notes', id, { id, text }]

/** What a sandbox that starts now would find. */
async function kept(): Promise<Change[]> {
  const store = await open()
  const changes = await store.load()
  await store.close()
  return changes
}

describe('the store in PostgreSQL', () => {
  it('keeps what was put, replaced and deleted, in the order in which records came', async () => {
    const store = await open()
    await store.append([put('b', 'first'), put('a', 'second'), put('c', 'gone')])
    await store.append([put('b', 'changed'), ['notes', 'c', null]])
    await store.close()
    expect(await kept()).toEqual([put('b', 'changed'), put('a', 'second')])
  })

  it('keeps the last of several changes that share a statement', async () => {
    const store = await open()
    const appends = ['one', 'two', 'three'].map(text => store.append([put('a', text), put(text, text)]))
    appends.push(store.append([['notes', 'two', null]]))
    await Promise.all(appends)
    await store.settled()
    await store.close()
    expect(await kept()).toEqual([put('a', 'three'), put('one', 'one'), put('three', 'three')])
  })

  it('keeps texts that PostgreSQL itself would refuse', async () => {
    const odd = put('nul \u0000, half a pair \ud800', 'nul \u0000, half a pair \ud800')
    const store = await open()
    await store.append([odd])
    await store.append([odd])
    await store.close()
    expect(await kept()).toEqual([odd])
  })

  it('belongs to the process that opened it last', async () => {
    const [older, newer] = [await open(), await open()]
    await expect(older.append([put('a', 'older')])).rejects.toThrow(/another sandbox/)
    await expect(older.append([put('b', 'older')])).rejects.toThrow(/another sandbox/)
    await newer.append([put('a', 'newer')])
    await Promise.all([older.close(), newer.close()])
    expect(await kept()).toEqual([put('a', 'newer')])
  })

  it('goes on, and loses nothing, when its connection ends in the middle of a statement', async () => {
    const store = await open()
    // A lock on the table holds the statement, so that it is certainly under way when its connection is ended.
    const blocker = await database.admin.connect()
    await blocker.query('BEGIN')
    await blocker.query('LOCK TABLE sandbox.record')
    const append = store.append([put('a', 'kept')])
    await connectionEnded()
    await blocker.query('COMMIT')
    blocker.release()
    await append
    await store.append([put('b', 'kept')])
    await store.close()
    expect(await kept()).toEqual([put('a', 'kept'), put('b', 'kept')])
  })

  it('fails for good when the database refuses a change', async () => {
    const store = await open()
    await database.admin.query(`REVOKE INSERT ON sandbox.record FROM ${plan.role}`)
    await expect(store.append([put('a', 'refused')])).rejects.toThrow(/permission denied/)
    await database.admin.query(`GRANT INSERT ON sandbox.record TO ${plan.role}`)
    await expect(store.append([put('a', 'too late')])).rejects.toThrow(/permission denied/)
    await store.close()
  })
})

/** Ends the connection of the statement that waits for a lock. */
async function connectionEnded(): Promise<void> {
  for (;;) {
    const { rowCount } = await database.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'sandbox' AND datname = current_database() AND wait_event_type = 'Lock'`,
    )
    if (rowCount) return
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

describe('a sandbox that is killed', () => {
  const KILLS = 3
  const AT_ONCE = 4
  let child: ChildProcess | null = null
  afterEach(() => {
    child?.kill('SIGKILL')
  })

  it('has everything that it acknowledged when it starts again, under load and more than once', async () => {
    const acknowledged: string[] = []
    for (let kill = 0; kill < KILLS; kill++) {
      const port = await start()
      const stripe = stripeAt(port, SECRET_KEY)
      for (const id of acknowledged) expect((await stripe.paymentIntents.retrieve(id)).id).toBe(id)
      const target = acknowledged.length + 40
      const client = async () => {
        for (;;) acknowledged.push((await stripe.paymentIntents.create({ amount: 2_500, currency: 'usd' })).id)
      }
      const clients = Promise.allSettled(Array.from({ length: AT_ONCE }, client))
      while (acknowledged.length < target) await new Promise(resolve => setTimeout(resolve, 5))
      child?.kill('SIGKILL')
      await clients
    }
    const last = stripeAt(await start(), SECRET_KEY)
    for (const id of acknowledged) expect((await last.paymentIntents.retrieve(id)).id).toBe(id)
  })

  /** Starts the sandbox from its sources as a process of its own. @returns the port it listens on */
  async function start(): Promise<number> {
    const [loader, entry] = ['../../../../libs/service-kit/test/typescript.js', '../main.ts'].map(file =>
      fileURLToPath(new URL(file, import.meta.url)),
    )
    const started = spawn(process.execPath, ['--conditions=source', '--no-warnings', '--import', loader!, entry!], {
      env: {
        PATH: process.env.PATH,
        SMTP_PORT: '0',
        PORT: '0',
        DATABASE_URL: database.url(plan.role),
        STRIPE_SECRET_KEY: SECRET_KEY,
        STRIPE_PUBLISHABLE_KEY: 'pk_test_sandbox',
        STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
        CARRIER_API_KEY: 'carrier-key',
        COINIFY_API_KEY: 'sandbox_coinify-key',
        COINIFY_WEBHOOK_SECRET: 'coinify-secret',
      },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    child = started
    for await (const line of createInterface({ input: started.stdout! })) {
      const { msg, origin } = JSON.parse(line)
      if (msg === 'the sandbox is ready') {
        // Its later lines are read and dropped, or its pipe would fill up.
        started.stdout!.resume()
        return Number(new URL(origin).port)
      }
    }
    throw new Error('the sandbox did not start')
  }
})
