import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '@holdfast/kernel/ids'
import { RunningGateway } from '../../test/running-gateway.js'
import { READ_SESSION_AGE_MS } from './sessions.js'

const READ = '/api/transactions/7/timeline'
const WRITE = '/api/transactions/7/accept'

describe('sessions', () => {
  const gateway = new RunningGateway()
  const { services } = gateway

  beforeAll(() => gateway.start())
  afterAll(() => gateway.stop())
  beforeEach(() => services.clear())

  it('that were revoked can write nothing at once, and read nothing after two seconds', async () => {
    const { token } = services.signIn()
    expect((await gateway.ask('GET', READ, { token })).status).toBe(200)
    services.revoke(token)
    expect(await gateway.codeOf('POST', WRITE, { token })).toEqual([401, 'UNAUTHENTICATED'])
    await sleep(READ_SESSION_AGE_MS + 100)
    expect(await gateway.codeOf('GET', READ, { token })).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('are checked once for reads that follow each other, and for every write', async () => {
    const { token } = services.signIn()
    for (let i = 0; i < 3; i++) await gateway.ask('GET', READ, { token })
    expect(services.verifications).toHaveLength(1)
    for (let i = 0; i < 3; i++) await gateway.ask('POST', WRITE, { token })
    expect(services.verifications).toHaveLength(4)
  })

  it('are checked in batches when many requests come at once', async () => {
    const tokens = Array.from({ length: 60 }, () => services.signIn().token)
    const answers = await Promise.all(tokens.map(token => gateway.ask('POST', WRITE, { token })))
    expect(answers.every(answer => answer.status === 200)).toBe(true)
    expect(services.verifications.flat()).toHaveLength(60)
    expect(services.verifications.length).toBeLessThan(30)
  })

  it('are not mixed up when many requests come at once', async () => {
    services.on('escrow-svc', 'POST', WRITE, ({ caller }) => ({
      id: caller?.actor?.kind === 'user' && caller.actor.id,
    }))
    const people = Array.from({ length: 40 }, () => services.signIn())
    const ids = await Promise.all(
      people.map(
        async ({ token }) => ((await (await gateway.ask('POST', WRITE, { token })).json()) as { id: string }).id,
      ),
    )
    expect(ids).toEqual(people.map(({ user }) => user.id))
  })

  it('are not remembered after their own log-out', async () => {
    const { token } = services.signIn()
    services.on('identity-svc', 'POST', '/api/auth/logout', (_, reply) => {
      services.revoke(token)
      return reply.code(204).header('set-cookie', 'holdfast_session=; Max-Age=0').send()
    })
    expect((await gateway.ask('GET', READ, { token })).status).toBe(200)
    const out = await gateway.ask('POST', '/api/auth/logout', { token })
    expect([out.status, out.headers.getSetCookie()]).toEqual([204, ['holdfast_session=; Max-Age=0']])
    expect(await gateway.codeOf('GET', READ, { token })).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('are checked again when the connection breaks, and the write is sent once', async () => {
    const { token } = services.signIn()
    let asked = 0
    const verify = services.answerOf('identity-svc', 'POST', '/internal/sessions/verify')
    services.on('identity-svc', 'POST', '/internal/sessions/verify', (received, reply) => {
      if (++asked > 1) return verify(received, reply)
      reply.raw.destroy()
      return reply.hijack()
    })
    expect((await gateway.ask('POST', WRITE, { token })).status).toBe(200)
    expect([asked, services.received.length]).toEqual([2, 1])
  })

  it('that cannot be checked refuse a write, whose outcome is known: nothing of it was sent', async () => {
    const { token } = services.signIn()
    services.on('identity-svc', 'POST', '/internal/sessions/verify', (_, reply) => {
      reply.raw.destroy()
      return reply.hijack()
    })
    const answer = await gateway.ask('POST', WRITE, { token })
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'UNAVAILABLE', details: null }])
    expect(services.received).toEqual([])
  })

  it('of an admin who lacks the second factor get no route of admins, and are those of a user elsewhere', async () => {
    const { token } = services.signIn({ needsSecondFactor: true })
    const { token: strangers } = services.signIn()
    for (const [method, path] of [
      ['GET', '/api/admin/users'],
      ['GET', '/api/admin/audit'],
      ['POST', `/api/admin/users/${newId()}/end-sessions`],
    ] as const) {
      expect(await gateway.codeOf(method, path, { token })).toEqual([403, 'ADMIN_NEEDS_SECOND_FACTOR'])
      expect(await gateway.codeOf(method, path, { token: strangers })).toEqual([404, 'NOT_FOUND'])
    }
    expect(services.received).toEqual([])
    expect((await gateway.ask('GET', READ, { token })).status).toBe(200)
    expect(services.received.map(({ caller }) => caller?.actor)).toMatchObject([{ role: 'user' }])
  })

  it('of a begun sign-in are passed on to identity-svc, and to its writes alone', async () => {
    const step = 'x'.repeat(43)
    const headers = { cookie: `holdfast_step=${step}` }
    await gateway.ask('POST', '/api/auth/signin/second-step', { headers, body: {} })
    await gateway.ask('GET', '/api/listings', { headers })
    expect(services.received.map(({ headers }) => headers['x-holdfast-step'])).toEqual([step, undefined])
  })

  it('are not checked for a public route', async () => {
    const { token } = services.signIn()
    await gateway.ask('POST', '/api/auth/signin', { token, body: {} })
    await gateway.ask('GET', '/api/listings')
    expect(services.verifications).toEqual([])
    expect(services.received.map(({ caller }) => caller?.actor)).toEqual([null, null])
  })

  it('are checked for a route that visitors may call as well, and passed on', async () => {
    const { token, user } = services.signIn()
    await gateway.ask('GET', '/api/listings', { token })
    await gateway.ask('GET', '/api/listings', { token: 'x'.repeat(43) })
    expect(services.received.map(({ caller }) => caller?.actor)).toEqual([user, null])
  })
})
