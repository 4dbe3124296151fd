import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { createScratchDatabase, type ScratchDatabase } from '../../test/scratch-database.js'
import { ACTOR_KEYS, callSigned } from '../../test/signed-calls.js'
import { MakeThings1700000000001, tinyService, tinyServiceWithDatabase } from '../../test/tiny-service.js'
import { applyMigrations } from '../database/migrations.js'
import { HEADERS_TIMEOUT_MS } from '../http/adapter.js'
import { type RunningService, startService } from './service.js'

let database: ScratchDatabase
let service: RunningService
let origin: string
let ops: string
let peerIsWell = true

beforeAll(async () => {
  database = await createScratchDatabase()
  const { adminUrl, passwords, roles } = database
  const plan = { service: 'listing-svc', role: roles.listing, schema: 'listing', migrations: [MakeThings1700000000001] }
  await applyMigrations({ adminUrl, passwords, plans: [plan] })
  const run = async () => {
    if (!peerIsWell) throw new Error('away')
  }
  service = await startService({
    ...tinyServiceWithDatabase({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS, DATABASE_URL: database.urlOf(roles.listing) }),
    checks: [
      { name: 'peer', kind: 'named', run },
      { name: 'everyone', kind: 'deep', run },
    ],
  })
  origin = `http://127.0.0.1:${service.port}`
  ops = `http://127.0.0.1:${service.opsPort}`
})
afterAll(async () => {
  await service.close()
  await database.drop()
})

const ask = async (url: string) => {
  const answer = await fetch(url)
  return [answer.status, await answer.json()]
}
const asAdmin = (sql: string) => database.query(database.adminUrl, sql)

describe('a running service', () => {
  test('reports on both listeners that it is alive and ready', async () => {
    for (const base of [origin, ops]) {
      expect(await ask(`${base}/healthz`)).toEqual([200, { status: 'ok' }])
      expect(await ask(`${base}/readyz`)).toEqual([
        200,
        { status: 'ok', checks: { database: 'ok', clock: 'ok', peer: 'ok' } },
      ])
    }
  })

  test('serves metrics on one listener only, labelled by route and never by path', async () => {
    expect((await callSigned(origin, { path: '/api/rows' })).json).toEqual({ rows: 0 })
    await callSigned(origin, { path: '/api/things/41' })
    await callSigned(origin, { path: '/api/no-such-path' })
    const metrics = await (await fetch(`${ops}/metrics`)).text()
    expect(metrics).toMatch(
      /http_server_request_duration_seconds_count\{.*http_route="\/api\/rows",http_response_status_code="200"\} 1/,
    )
    expect(metrics).toMatch(/http_route="\/api\/things\/:id",http_response_status_code="200"/)
    expect(metrics).toMatch(/http_route="unmatched",http_response_status_code="404"/)
    expect(metrics).not.toMatch(/things\/41|no-such-path/)
    expect(metrics).toContain('nodejs_eventloop_lag_seconds')
    expect(metrics).toMatch(
      /db_client_connection_count\{.*pool_name="orm",db_client_connection_state="idle"[^}]*\} [1-8]$/m,
    )
    expect(metrics).toMatch(/db_client_connection_pending_requests\{.*pool_name="orm"[^}]*\} 0$/m)
    expect((await fetch(`${origin}/metrics`)).status).toBe(404)
  })

  test('stays ready and shows it when another service is unreachable; only the deep check fails', async () => {
    peerIsWell = false
    expect(await ask(`${ops}/readyz`)).toEqual([
      200,
      { status: 'ok', checks: { database: 'ok', clock: 'ok', peer: 'failed' } },
    ])
    expect(await ask(`${origin}/readyz?deep=1`)).toEqual([
      503,
      { status: 'failing', checks: { database: 'ok', clock: 'ok', peer: 'failed', everyone: 'failed' } },
    ])
    peerIsWell = true
  })

  test('closes connections whose headers do not arrive in time, without an answer when nothing was sent', async () => {
    const server = service.app.getHttpServer() as Server
    expect(server.headersTimeout).toBe(HEADERS_TIMEOUT_MS)
    server.headersTimeout = 100
    const answers = ['', 'GET /healthz HTTP/1.1\r\nhost: '].map(sent => {
      const socket = connect(service.port, '127.0.0.1')
      if (sent !== '') socket.write(sent)
      return text(socket)
    })
    const [silent, slow] = await Promise.all(answers)
    server.headersTimeout = HEADERS_TIMEOUT_MS
    expect(silent).toBe('')
    expect(slow).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('closes a refused connection also when its client reads nothing', async () => {
    const accepted = once(service.app.getHttpServer() as Server, 'connection')
    const client = connect(service.port, '127.0.0.1').on('error', () => {})
    client.write('not http\r\n\r\n')
    const [socket] = (await accepted) as [Socket]
    try {
      await once(socket, 'close', { signal: AbortSignal.timeout(2_000) })
    } finally {
      client.destroy()
    }
  })

  test.each(['/healthz', '/api/me', '/no-such-path'])('refuses a request with two Host headers: %s', async path => {
    const answerTo = (hosts: readonly string[]) => {
      const client = connect(service.port, '127.0.0.1')
      client.write(
        `GET ${path} HTTP/1.1\r\n${hosts.map(host => `host: ${host}\r\n`).join('')}connection: close\r\n\r\n`,
      )
      return text(client)
    }
    const [one, two] = await Promise.all([answerTo(['here']), answerTo(['here', 'there'])])
    expect(one).not.toMatch(/^HTTP\/1\.1 400 /)
    expect(two).toMatch(/^HTTP\/1\.1 400 .*"code":"MALFORMED_REQUEST"/s)
  })

  test('finishes its requests when a consumer of events cannot be closed, and then reports that', async () => {
    const close = jest.fn(async () => {}).mockRejectedValueOnce(new Error('the log is away'))
    const draining = await startService({
      ...tinyService({ PORT: '0', OPS_PORT: '0', ACTOR_KEYS }),
      strategies: () => [{ listen: (started: () => void) => started(), close }],
    })
    const answer = callSigned(`http://127.0.0.1:${draining.port}`, { path: '/api/slow' })
    const unhandled = jest.fn()
    process.on('unhandledRejection', unhandled)
    try {
      await expect(draining.close()).rejects.toThrow('the log is away')
      expect((await answer).status).toBe(200)
      expect(unhandled).not.toHaveBeenCalled()
    } finally {
      process.off('unhandledRejection', unhandled)
    }
  })

  test('is not ready without its newest migration', async () => {
    await asAdmin("update listing.migrations set name = name || '0'")
    expect(await ask(`${ops}/readyz`)).toMatchObject([503, { status: 'failing', checks: { database: 'failed' } }])
    await asAdmin('update listing.migrations set name = left(name, -1)')
    expect(await ask(`${ops}/readyz`)).toMatchObject([200, { status: 'ok' }])
  })

  test('answers 503 while its database refuses it, and recovers', async () => {
    const { listing } = database.roles
    await asAdmin(`alter role ${listing} nologin`)
    await asAdmin(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${listing}'`)
    const refused = await callSigned(origin, { path: '/api/rows' })
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1'])
    expect(await ask(`${ops}/readyz`)).toMatchObject([503, { status: 'failing' }])
    await asAdmin(`alter role ${listing} login`)
    expect((await callSigned(origin, { path: '/api/rows' })).status).toBe(200)
    expect(await ask(`${ops}/readyz`)).toMatchObject([200, { status: 'ok' }])
  })
})
