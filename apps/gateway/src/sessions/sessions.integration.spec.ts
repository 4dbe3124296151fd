import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { RunningGateway } from '../../test/running-gateway.js'
import { READ_SESSION_AGE_MS } from './sessions.js'

const READ = '/api/transactions/7/timeline'
const WRITE = '/api/transactions/7/accept'

describe('sessions at the door', () => {
  const door = new RunningGateway()
  const { services } = door

  beforeAll(() => door.start())
  afterAll(() => door.stop())
  beforeEach(() => services.clear())

  it('change nothing any more once they are revoked; reads notice within two seconds', async () => {
    const { token } = services.signIn()
    expect((await door.ask('GET', READ, { token })).status).toBe(200)
    services.revoke(token)
    expect(await door.codeOf('POST', WRITE, { token })).toEqual([401, 'UNAUTHENTICATED'])
    await sleep(READ_SESSION_AGE_MS + 100)
    expect(await door.codeOf('GET', READ, { token })).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('are asked for once by reads that follow each other, and by every write', async () => {
    const { token } = services.signIn()
    for (let i = 0; i < 3; i++) await door.ask('GET', READ, { token })
    expect(services.verifications).toHaveLength(1)
    for (let i = 0; i < 3; i++) await door.ask('POST', WRITE, { token })
    expect(services.verifications).toHaveLength(4)
  })

  it('are asked for together when many come at once', async () => {
    const tokens = Array.from({ length: 60 }, () => services.signIn().token)
    const answers = await Promise.all(tokens.map(token => door.ask('POST', WRITE, { token })))
    expect(answers.every(answer => answer.status === 200)).toBe(true)
    expect(services.verifications.flat()).toHaveLength(60)
    expect(services.verifications.length).toBeLessThan(30)
  })

  it('are told apart, however many come at once', async () => {
    services.on('escrow-svc', 'POST', WRITE, ({ caller }) => ({
      id: caller?.actor?.kind === 'user' && caller.actor.id,
    }))
    const people = Array.from({ length: 40 }, () => services.signIn())
    const ids = await Promise.all(
      people.map(async ({ token }) => ((await (await door.ask('POST', WRITE, { token })).json()) as { id: string }).id),
    )
    expect(ids).toEqual(people.map(({ user }) => user.id))
  })

  it('are not remembered past their own log-out', async () => {
    const { token } = services.signIn()
    services.on('identity-svc', 'POST', '/api/auth/logout', (_, reply) => {
      services.revoke(token)
      return reply.code(204).header('set-cookie', 'holdfast_session=; Max-Age=0').send()
    })
    expect((await door.ask('GET', READ, { token })).status).toBe(200)
    const out = await door.ask('POST', '/api/auth/logout', { token })
    expect([out.status, out.headers.getSetCookie()]).toEqual([204, ['holdfast_session=; Max-Age=0']])
    expect(await door.codeOf('GET', READ, { token })).toEqual([401, 'UNAUTHENTICATED'])
  })

  it('are asked for again when the connection breaks off, and the write is done once', async () => {
    const { token } = services.signIn()
    let asked = 0
    const verify = services.answerOf('identity-svc', 'POST', '/internal/sessions/verify')
    services.on('identity-svc', 'POST', '/internal/sessions/verify', (received, reply) => {
      if (++asked > 1) return verify(received, reply)
      reply.raw.destroy()
      return reply.hijack()
    })
    expect((await door.ask('POST', WRITE, { token })).status).toBe(200)
    expect([asked, services.received.length]).toEqual([2, 1])
  })

  it('are not asked for where it does not matter who asks', async () => {
    const { token } = services.signIn()
    await door.ask('POST', '/api/auth/signin', { token, body: {} })
    await door.ask('GET', '/api/listings')
    expect(services.verifications).toEqual([])
    expect(services.received.map(({ caller }) => caller?.actor)).toEqual([null, null])
  })

  it('are told to services where visitors are welcome, too', async () => {
    const { token, user } = services.signIn()
    await door.ask('GET', '/api/listings', { token })
    await door.ask('GET', '/api/listings', { token: 'x'.repeat(43) })
    expect(services.received.map(({ caller }) => caller?.actor)).toEqual([user, null])
  })
})
