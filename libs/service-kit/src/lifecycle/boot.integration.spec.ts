import { connect, createServer, type Server } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { type ServiceProcess, startServiceProcess } from '../../test/service-process.js'
import { ACTOR_KEYS, callSigned, keys } from '../../test/signed-calls.js'
import { MakeThings1700000000001 } from '../../test/tiny-service.js'
import { ACTOR_HEADER, signActor } from '../auth/actor.js'
import { contentOf } from '../auth/signed-content.js'
import { applyMigrations } from '../database/migrations.js'

let database: ScratchDatabase
let running: ServiceProcess | undefined
let closing: Server | undefined

beforeAll(async () => {
  database = await createScratchDatabase()
  const { adminUrl, passwords, roles } = database
  const plan = { service: 'listing-svc', role: roles.listing, schema: 'listing', migrations: [MakeThings1700000000001] }
  await applyMigrations({ adminUrl, passwords, plans: [plan] })
})
afterEach(async () => {
  running?.child.kill('SIGKILL')
  await running?.ended
  running = undefined
  closing?.close()
  closing = undefined
})
afterAll(() => database.drop())

/** Starts the service on free ports, and returns its addresses. */
async function boot(env: Record<string, string> = {}, ipc = false) {
  const DATABASE_URL = database.urlOf(database.roles.listing)
  running = startServiceProcess({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, DATABASE_URL, ...env }, ipc)
  const { port, opsPort } = await running.logged('listing-svc is ready')
  return { process: running, origin: `http://127.0.0.1:${port}`, ops: `http://127.0.0.1:${opsPort}` }
}

const sign = (path: string, method = 'GET') => ({
  [ACTOR_HEADER]: signActor({ caller: 'gateway', actor: null, clientIp: null }, contentOf(), {
    keys,
    callee: 'listing-svc',
    method,
    path,
    now: new Date(),
  }),
})

/** For so long a client keeps a connection open that it does not use. */
const KEPT_ALIVE_MS = 120_000

describe('SIGTERM', () => {
  test('under load loses no request, and ends with status 0', async () => {
    const { origin, ops, process } = await boot()
    const outcomes = { answered: 0, refused: 0, lost: [] as unknown[] }
    let stopped = false
    const pool = new Pool(origin, { connections: 16 })
    const client = async (path: string) => {
      while (!stopped) {
        try {
          const answer = await pool.request({ method: 'GET', path, headers: sign(path) })
          await answer.body.text()
          if (answer.statusCode === 200) outcomes.answered++
          else outcomes.lost.push(answer.statusCode)
        } catch (error) {
          // The port is closed. No process accepted the request, so it is not lost.
          if ((error as { code?: string }).code === 'ECONNREFUSED') outcomes.refused++
          else outcomes.lost.push(error)
          await sleep(5)
        }
      }
    }
    const clients = ['/api/things/7', '/api/rows', '/api/slow', '/api/me'].flatMap(path =>
      Array.from({ length: 4 }, () => client(path)),
    )
    await sleep(1_000)
    process.child.kill('SIGTERM')
    await process.logged('draining')
    const ready = await fetch(`${ops}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([503, { status: 'draining' }])
    expect(await process.ended).toBe(0)
    stopped = true
    await Promise.all(clients)
    await pool.destroy()
    expect(outcomes.lost).toEqual([])
    expect(outcomes.answered).toBeGreaterThan(20)
    expect(process.lines.at(-1)).toMatchObject({ msg: 'drained' })
  })

  test('has the same effect when it comes twice, with idle connections, and when the launcher dies', async () => {
    const { origin, process } = await boot({}, true)
    const idle = new Pool(origin, { connections: 1, keepAliveTimeout: KEPT_ALIVE_MS })
    await (await idle.request({ method: 'GET', path: '/healthz' })).body.text()
    const { json } = await callSigned(origin, { path: '/api/me' })
    expect(await process.logged('asked who they are')).toMatchObject({ requestId: json.requestId, part: 'tiny' })
    await callSigned(origin, { path: '/api/fault' })
    expect(await process.logged('a request failed')).toMatchObject({ err: { message: 'the secret recipe' } })
    const slow = callSigned(origin, { path: '/api/slow' })
    await process.logged('takes its time')
    const begun = Date.now()
    process.child.disconnect()
    await process.logged('draining')
    process.child.kill('SIGTERM')
    process.child.kill('SIGINT')
    expect((await slow).status).toBe(200)
    expect(await process.ended).toBe(0)
    expect(Date.now() - begun).toBeLessThan(KEPT_ALIVE_MS / 2)
    await idle.destroy()
  })
})

describe('a client that leaves in the middle of its body', () => {
  test('is logged, and not as an error', async () => {
    const { origin, process } = await boot()
    const method = 'POST'
    const path = '/api/hook'
    const head = [`${method} ${path} HTTP/1.1`, 'host: a', 'content-type: text/plain', 'content-length: 1000']
    const signature = Object.entries(sign(path, method)).map(([name, value]) => `${name}: ${value}`)
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => {
      socket.write(`${[...head, ...signature].join('\r\n')}\r\n\r\nhalf`, () => setTimeout(() => socket.destroy(), 50))
    })
    expect(await process.logged('a request ended before its body was complete')).toMatchObject({
      level: 'info',
      route: path,
    })
    expect(process.lines.filter(({ level }) => level !== 'info')).toEqual([])
  })
})

describe('a boot without its database', () => {
  /** An address of the database on which nothing listens until `open` is called. */
  async function closedPort() {
    const proxy = createServer(from => {
      const { hostname, port } = new URL(database.adminUrl)
      const to = connect(Number(port), hostname)
      for (const socket of [from, to]) socket.on('error', () => {})
      from.pipe(to).pipe(from)
    })
    const listen = (port: number) => new Promise<void>(resolve => proxy.listen(port, '127.0.0.1', resolve))
    await listen(0)
    const { port } = proxy.address() as { port: number }
    await new Promise(resolve => proxy.close(resolve))
    const url = new URL(database.urlOf(database.roles.listing))
    url.host = `127.0.0.1:${port}`
    const open = () => {
      closing = proxy
      return listen(port)
    }
    return { url: url.href, open }
  }

  const start = (DATABASE_URL: string) => {
    running = startServiceProcess({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, DATABASE_URL })
    return running
  }
  const waits = 'the database does not answer; the boot waits for it'

  test('waits for it', async () => {
    const database = await closedPort()
    const process = start(database.url)
    expect(await process.logged(waits)).toMatchObject({ level: 'warn', err: { code: 'ECONNREFUSED' } })
    await database.open()
    const { port } = await process.logged('listing-svc is ready')
    expect((await callSigned(`http://127.0.0.1:${port}`, { path: '/api/rows' })).status).toBe(200)
  })

  test.each([
    ['a password that is wrong', (url: URL) => Object.assign(url, { password: 'wrong' }), '28P01'],
    ['a database that does not exist', (url: URL) => Object.assign(url, { pathname: '/nowhere' }), '3D000'],
  ])('does not wait after %s', async (_, spoil, code) => {
    const process = start(spoil(new URL(database.urlOf(database.roles.listing))).href)
    expect(await process.ended).toBe(1)
    expect(process.lines.at(-1)).toMatchObject({ level: 'fatal', msg: 'the service could not start', err: { code } })
    expect(process.lines.filter(({ msg }) => msg === waits)).toEqual([])
  })
})

describe('a boot that fails', () => {
  test('because of its configuration prints one message about it', async () => {
    running = startServiceProcess({ OPS_PORT: '0', DATABASE_URL: 'mysql://root:hunter2@db/x' })
    expect(await running.ended).toBe(1)
    expect(running.stderr()).toContain('PORT: is missing')
    expect(running.stderr()).not.toContain('hunter2')
  })

  test('because its port is in use ends with status 1 and a line in the log', async () => {
    const taken = createServer()
    closing = taken
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const DATABASE_URL = database.urlOf(database.roles.listing)
    running = startServiceProcess({ PORT: String(port), OPS_PORT: '0', DATABASE_URL })
    expect(await running.ended).toBe(1)
    expect(running.lines.at(-1)).toMatchObject({
      level: 'fatal',
      msg: 'the service could not start',
      err: { code: 'EADDRINUSE' },
    })
  })
})
