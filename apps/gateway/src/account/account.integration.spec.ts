import { setTimeout as sleep } from 'node:timers/promises'
import { PERSONAL_DATA_PARTS } from '@holdfast/contracts/personal-data'
import { RunningGateway } from '../../test/running-gateway.js'
import { UPSTREAMS } from '../config.js'

const gateway = new RunningGateway()
beforeAll(() => gateway.start())
afterAll(() => gateway.stop())
beforeEach(() => gateway.services.clear())

const OBSTACLES = '/internal/account/obstacles'
const DATA = '/internal/personal-data'
const nothingInTheWay = () => {
  for (const service of ['identity-svc', 'escrow-svc', 'dispute-svc'] as const)
    gateway.services.on(service, 'GET', OBSTACLES, () => ({ obstacles: [] }))
}
const asked = (path: string) => gateway.services.received.filter(({ url }) => url.startsWith(path))

describe('closing an account', () => {
  test('is passed on when nothing stands in the way', async () => {
    nothingInTheWay()
    const { token, user } = gateway.services.signIn()
    gateway.services.on('identity-svc', 'POST', '/internal/account/closing', (_, reply) => {
      gateway.services.revoke(token)
      return reply.code(202).send()
    })
    const read = () => gateway.codeOf('GET', '/api/transactions/7/timeline', { token })
    expect(await read()).toEqual([200, null])
    const answer = await gateway.ask('POST', '/api/account/closing', { token, body: { currentPassword: 'secret' } })
    expect(answer.status).toBe(202)
    const [call] = asked('/internal/account/closing')
    expect(call?.caller?.actor).toMatchObject({ id: user.id })
    expect(JSON.parse(call!.body.toString())).toEqual({ currentPassword: 'secret' })
    // The session has ended, and the gateway does not remember it.
    expect(await read()).toEqual([401, 'UNAUTHENTICATED'])
  })

  test('is refused with what stands in the way, and identity-svc is not asked to close', async () => {
    const obstacles = [
      { kind: 'admin', transactionId: null, disputeId: null },
      { kind: 'open_deal', transactionId: 7, disputeId: null },
      { kind: 'open_dispute', transactionId: 7, disputeId: 101 },
    ]
    for (const [n, service] of (['identity-svc', 'escrow-svc', 'dispute-svc'] as const).entries())
      gateway.services.on(service, 'GET', OBSTACLES, () => ({ obstacles: [obstacles[n]] }))
    const { token } = gateway.services.signIn()
    const answer = await gateway.ask('POST', '/api/account/closing', { token, body: {} })
    expect(answer.status).toBe(409)
    expect(await answer.json()).toMatchObject({ code: 'ACCOUNT_IN_USE', details: { obstacles } })
    expect(asked('/internal/account/closing')).toEqual([])
    const shown = await gateway.ask('GET', '/api/account/closing', { token })
    expect(await shown.json()).toEqual({ obstacles })
  })

  test('is refused while a service does not answer what stands in the way', async () => {
    nothingInTheWay()
    gateway.services.on('escrow-svc', 'GET', OBSTACLES, (_, reply) => reply.code(503).send({ code: 'UNAVAILABLE' }))
    const { token } = gateway.services.signIn()
    expect((await gateway.ask('POST', '/api/account/closing', { token, body: {} })).status).toBe(503)
    expect(asked('/internal/account/closing')).toEqual([])
  })

  test('is refused as signed out when the session has ended since the gateway checked it', async () => {
    nothingInTheWay()
    gateway.services.on('identity-svc', 'POST', '/internal/account/closing', (_, reply) =>
      reply
        .code(401)
        .send({ code: 'UNAUTHENTICATED', message: 'Please sign in.', error: '', details: null, requestId: 'r' }),
    )
    const { token } = gateway.services.signIn()
    const answer = await gateway.codeOf('POST', '/api/account/closing', { token, body: {} })
    expect(answer).toEqual([401, 'UNAUTHENTICATED'])
  })

  test('needs a session', async () => {
    expect(await gateway.codeOf('POST', '/api/account/closing', { body: {} })).toEqual([401, 'UNAUTHENTICATED'])
    expect(await gateway.codeOf('GET', '/api/account/exports/abc')).toEqual([401, 'UNAUTHENTICATED'])
  })
})

describe('an export', () => {
  const PAGES = 3
  const takes = () =>
    gateway.services.on('identity-svc', 'POST', '/internal/account/exports/take', (_, reply) => reply.code(204).send())

  /** Every part has three pages of one item, and no part more. */
  function answersPages(): void {
    for (const service of UPSTREAMS)
      gateway.services.on(service, 'GET', DATA, ({ url }) => {
        const query = new URL(url, 'http://x').searchParams
        const page = Number(query.get('after') ?? 0)
        return { items: [{ of: query.get('part'), page }], next: page + 1 < PAGES ? String(page + 1) : null }
      })
  }

  test('joins every page of every part of every service, and says its version', async () => {
    takes()
    answersPages()
    const { token, user } = gateway.services.signIn()
    const answer = await gateway.ask('GET', '/api/account/exports/abc', { token })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="holdfast-data-\d{4}-\d\d-\d\d\.json"$/,
    )
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const { format, version, exportedAt, ...parts } = (await answer.json()) as Record<string, unknown>
    expect({ format, version }).toEqual({ format: 'holdfast-personal-data', version: 1 })
    expect(Date.parse(String(exportedAt))).not.toBeNaN()
    const names = Object.values(PERSONAL_DATA_PARTS).flat()
    expect(Object.keys(parts)).toEqual(names)
    for (const name of names) expect(parts[name]).toEqual([0, 1, 2].map(page => ({ of: name, page })))
    expect(asked(DATA).every(({ caller }) => (caller?.actor as { id?: string })?.id === user.id)).toBe(true)
  })

  test('is not sent for an address that was used', async () => {
    gateway.services.on('identity-svc', 'POST', '/internal/account/exports/take', (_, reply) =>
      reply
        .code(404)
        .send({ code: 'NOT_FOUND', message: 'Not found.', error: 'Not found.', details: null, requestId: 'r' }),
    )
    const { token } = gateway.services.signIn()
    expect(await gateway.codeOf('GET', '/api/account/exports/abc', { token })).toEqual([404, 'NOT_FOUND'])
    expect(asked(DATA)).toEqual([])
  })

  test('is not taken by HEAD, which would use its address up', async () => {
    takes()
    const { token } = gateway.services.signIn()
    const { status, headers } = await gateway.ask('HEAD', '/api/account/exports/abc', { token })
    expect([status, headers.get('allow')]).toEqual([405, 'GET'])
    expect(asked('/internal/account/exports/take')).toEqual([])
  })

  test('is cut off, and does not look complete, when a service stops to answer', async () => {
    takes()
    answersPages()
    gateway.services.on('messaging-svc', 'GET', DATA, (_, reply) => reply.code(500).send({}))
    const { token } = gateway.services.signIn()
    const read = async () => (await gateway.ask('GET', '/api/account/exports/abc', { token })).text()
    await expect(read()).rejects.toThrow()
  })

  test('reads no further than its reader does', async () => {
    takes()
    const item = { text: 'x'.repeat(100_000) }
    for (const service of UPSTREAMS)
      gateway.services.on(service, 'GET', DATA, ({ url }) => {
        const page = Number(new URL(url, 'http://x').searchParams.get('after') ?? 0)
        return { items: [item], next: page < 200 ? String(page + 1) : null }
      })
    const { token } = gateway.services.signIn()
    const abort = new AbortController()
    const answer = await gateway.ask('GET', '/api/account/exports/abc', {
      token,
      signal: abort.signal,
      headers: { 'accept-encoding': 'gzip, br' },
    })
    try {
      await answer.body!.getReader().read()
      // The buffers of both sockets and of the client hold a few megabytes: far fewer than the 5,400 pages of 100 kB.
      const asks = () => asked(DATA).length
      for (let before = -1; before !== asks(); ) {
        before = asks()
        expect(before).toBeLessThan(400)
        await sleep(1_500)
      }
    } finally {
      abort.abort()
    }
  })
})
