import { createHash } from 'node:crypto'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import type { SignedAnswer } from '@holdfast/testing/signed-client'
import { aRegistration, cookiesOf, RunningIdentity, tokenOf } from '../../test/running-identity.js'
import { MAX_SESSIONS_PER_USER } from './sessions.service.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

type Verified = [hash: string, sessionId: string, userId: string, role: 'user' | 'admin', plan: 'standard' | 'premium']

async function verify(...tokens: string[]): Promise<Verified[]> {
  const body = { hashes: tokens.map(hashOf) }
  return (await identity.client.request<Verified[]>('POST', '/internal/sessions/verify', { body })).body
}

/** The user of the session cookie in an answer, as the gateway would look it up. */
async function actorOf(answer: SignedAnswer): Promise<UserActor> {
  const [session] = await verify(tokenOf(answer))
  if (!session) throw new Error('the session is not live')
  const [, sessionId, id, role, plan] = session
  return { kind: 'user', id, role, plan, sessionId }
}

describe('the check of a session', () => {
  test('answers the user of each live token, and leaves out unknown tokens', async () => {
    const ana = await identity.signUp()
    const ben = await identity.signUp()
    const sessions = await verify(tokenOf(ana), 'nonsense', tokenOf(ben))
    expect(sessions).toHaveLength(2)
    expect(new Map(sessions.map(([hash, , userId]) => [hash, userId]))).toEqual(
      new Map([
        [hashOf(tokenOf(ana)), (ana as { body: { user: { id: string } } }).body.user.id],
        [hashOf(tokenOf(ben)), (ben as { body: { user: { id: string } } }).body.user.id],
      ]),
    )
    expect(sessions[0]?.slice(3)).toEqual(['user', 'standard', false])
  })

  test('leaves out an expired session', async () => {
    const answer = await identity.signUp()
    await identity.database.admin.query(
      `UPDATE identity.sessions SET expires_at = now() - interval '1 second' WHERE encode(token_hash, 'hex') = $1`,
      [hashOf(tokenOf(answer))],
    )
    expect(await verify(tokenOf(answer))).toEqual([])
  })

  test('leaves out the session of a suspended user, also one that has not ended', async () => {
    const answer = await identity.signUp()
    await identity.database.admin.query('UPDATE identity.users SET suspended_at = now() WHERE id = $1', [
      answer.body.user.id,
    ])
    expect(await verify(tokenOf(answer))).toEqual([])
  })

  test('answers the largest number of tokens that a call may contain', async () => {
    const hashes = Array.from({ length: 256 }, (_, i) => hashOf(String(i)))
    const call = (count: number) =>
      identity.client.request('POST', '/internal/sessions/verify', {
        body: { hashes: hashes.concat(hashes).slice(0, count) },
      })
    expect(await call(256)).toMatchObject({ status: 200, body: [] })
    expect(await call(257)).toMatchObject({ status: 400, body: { details: { fields: { hashes: expect.anything() } } } })
    expect(await call(0)).toMatchObject({ status: 400 })
  })

  test.each(["x'); DROP TABLE", 'A'.repeat(64), 'a'.repeat(63)])('refuses %j, which is not a hash', async hash => {
    const body = { hashes: [hash] }
    const answer = await identity.client.request('POST', '/internal/sessions/verify', { body })
    expect(answer).toMatchObject({ status: 400, body: { details: { fields: { 'hashes.0': expect.anything() } } } })
  })

  test('can be called by the gateway only', async () => {
    const body = { hashes: [hashOf('x')] }
    const answer = await identity.client.request('POST', '/internal/sessions/verify', { body, caller: 'escrow-svc' })
    expect(answer.status).toBe(403)
  })
})

describe('logging out', () => {
  test('ends the session at once and clears the cookie', async () => {
    const answer = await identity.signUp()
    const out = await identity.client.request('POST', '/api/auth/logout', { actor: await actorOf(answer) })
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toBe('holdfast_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    expect(await verify(tokenOf(answer))).toEqual([])
  })

  test('does not end the other sessions of the account', async () => {
    const person = aRegistration()
    const first = await identity.signUp(person)
    const second = await identity.signIn(person.email, person.password)
    await identity.client.request('POST', '/api/auth/logout', { actor: await actorOf(first) })
    expect(await verify(tokenOf(second))).toHaveLength(1)
  })

  test('can tell the session to be ended from a later one: the answer about who is signed in names it', async () => {
    const person = aRegistration()
    const first = await actorOf(await identity.signUp(person))
    const second = await actorOf(await identity.signIn(person.email, person.password))
    const named = async (actor: typeof first) =>
      (await identity.client.request<{ sessionId: string }>('GET', '/api/auth/user', { actor })).body.sessionId
    expect(await named(first)).toBe(first.sessionId)
    expect(await named(second)).toBe(second.sessionId)
    expect(first.sessionId).not.toBe(second.sessionId)
  })

  test('without a session only clears the cookie', async () => {
    const out = await identity.client.request('POST', '/api/auth/logout')
    expect(out.status).toBe(204)
    expect(out.headers.get('set-cookie')).toMatch(/^holdfast_session=;/)
  })
})

describe('the list of sessions', () => {
  test('shows the sessions of the account, newest first, and marks the current one', async () => {
    const person = aRegistration()
    await identity.signUp(person, '192.0.2.11')
    const second = await identity.client.request('POST', '/api/auth/signin', {
      body: { email: person.email, password: person.password },
      clientIp: '192.0.2.12',
      headers: { 'user-agent': `Browser ${'x'.repeat(1000)}` },
    })
    const answer = await identity.client.request('GET', '/api/auth/sessions', { actor: await actorOf(second) })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual([
      {
        id: expect.any(String),
        current: true,
        clientIp: '192.0.2.12',
        place: null,
        userAgent: expect.stringMatching(/^Browser x{392}$/),
        createdAt: expect.any(String),
        expiresAt: expect.any(String),
      },
      expect.objectContaining({ current: false, clientIp: '192.0.2.11' }),
    ])
  })

  test('shows sessions that last thirty days', async () => {
    const answer = await identity.signUp()
    const { body } = await identity.client.request<{ createdAt: string; expiresAt: string }[]>(
      'GET',
      '/api/auth/sessions',
      {
        actor: await actorOf(answer),
      },
    )
    const [session] = body
    expect(Date.parse(session!.expiresAt) - Date.parse(session!.createdAt)).toBe(30 * 86_400_000)
  })

  test('can be reduced to the current session, without any effect on other accounts', async () => {
    const person = aRegistration()
    const stranger = await identity.signUp()
    const first = await identity.signUp(person)
    const second = await identity.signIn(person.email, person.password)
    const cut = await identity.client.request('DELETE', '/api/auth/sessions', { actor: await actorOf(second) })
    expect(cut.status).toBe(204)
    expect(await verify(tokenOf(first))).toEqual([])
    expect(await verify(tokenOf(second))).toHaveLength(1)
    expect(await verify(tokenOf(stranger))).toHaveLength(1)
  })

  test('one can be ended by its id, and only by its own user', async () => {
    const person = aRegistration()
    const first = await identity.signUp(person)
    const second = await identity.signIn(person.email, person.password)
    const stranger = await actorOf(await identity.signUp())
    const { sessionId } = await actorOf(first)
    const end = (actor: Awaited<ReturnType<typeof actorOf>>) =>
      identity.client.request('DELETE', `/api/auth/sessions/${sessionId}`, { actor })
    expect((await end(stranger)).status).toBe(404)
    expect(await verify(tokenOf(first))).toHaveLength(1)
    expect((await end(await actorOf(second))).status).toBe(204)
    expect(await verify(tokenOf(first))).toEqual([])
    expect(await verify(tokenOf(second))).toHaveLength(1)
    expect((await end(await actorOf(second))).status).toBe(404)
  })

  test.each(['GET', 'DELETE'])('%s needs a session', async method => {
    const answer = await identity.client.request(method, '/api/auth/sessions')
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } })
  })

  test('is replaced by the next sign-in of the same browser: the earlier session ends', async () => {
    const person = aRegistration()
    const first = await identity.signUp(person)
    const elsewhere = await identity.signIn(person.email, person.password)
    const second = await identity.signIn(person.email, person.password, '192.0.2.1', cookiesOf(first))
    expect(await verify(tokenOf(first))).toEqual([])
    expect(await verify(tokenOf(second))).toHaveLength(1)
    expect(await verify(tokenOf(elsewhere))).toHaveLength(1)
    // Another person signs in with the same browser.
    const other = aRegistration()
    await identity.signUp(other)
    await identity.signIn(other.email, other.password, '192.0.2.1', cookiesOf(second))
    expect(await verify(tokenOf(second))).toEqual([])
  })

  test('publishes which sessions ended, and nothing of their tokens', async () => {
    const person = aRegistration()
    const first = await identity.signUp(person)
    const [current, other] = [await actorOf(first), await actorOf(await identity.signIn(person.email, person.password))]
    for (let i = 0; i < 2; i++) await identity.client.request('DELETE', '/api/auth/sessions', { actor: current })
    await identity.client.request('POST', '/api/auth/logout', { actor: current })
    const { rows } = await identity.database.admin.query(
      `SELECT payload FROM identity.outbox WHERE key = $1 AND type = $2
       UNION ALL SELECT payload::jsonb FROM events.log WHERE key = $1 AND type = $2`,
      [current.id, 'identity.user.sessions_ended.v1'],
    )
    // The relay moves the rows meanwhile, so their order is not fixed.
    expect(new Set(rows.map(({ payload }) => JSON.stringify(payload)))).toEqual(
      new Set([other, current].map(({ sessionId }) => JSON.stringify({ sessionIds: [sessionId] }))),
    )
  })

  test('is limited: a further session ends the oldest', async () => {
    const person = aRegistration()
    const first = await identity.signUp(person)
    await identity.database.admin.query(
      `INSERT INTO identity.sessions (id, user_id, token_hash, created_at, expires_at)
       SELECT uuidv7(), u.id, sha256(n::text::bytea), now(), now() + interval '1 day'
       FROM identity.users u, generate_series(1, $2) n WHERE u.email = $1`,
      [person.email, MAX_SESSIONS_PER_USER - 1],
    )
    expect(await verify(tokenOf(first))).toHaveLength(1)
    const last = await identity.signIn(person.email, person.password)
    expect(await verify(tokenOf(first))).toEqual([])
    expect(await verify(tokenOf(last))).toHaveLength(1)
  })
})
