import { createHash } from 'node:crypto'
import type { AdminUser } from '@holdfast/contracts/admin-users'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity, tokenOf } from '../../test/running-identity.js'

let identity: RunningIdentity
const admin = { ...userActor(), role: 'admin' as const }
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const suspend = (id: string, isSuspended: boolean, actor: UserActor = admin) =>
  identity.client.request<AdminUser>('POST', `/api/admin/users/${id}/suspension`, {
    actor,
    body: { isSuspended, reason: 'Sold what they did not have' },
  })
/** What other services are told of the suspensions of a user, in order. */
const told = async (userId: string) => {
  const { rows } = await identity.database.admin.query<{ suspended: boolean }>(
    `SELECT (payload::jsonb ->> 'isSuspended')::boolean AS suspended FROM (SELECT type, key, payload::text AS payload, id AS n, 1 AS part FROM identity.outbox
       WHERE event_id NOT IN (SELECT id FROM events.log)
       UNION ALL SELECT type, key, payload::text, position, 0 FROM events.log) e
      WHERE key = $1 AND type = 'identity.user.suspension_changed.v1' ORDER BY part, n`,
    [userId],
  )
  return rows.map(({ suspended }) => suspended)
}
const isLive = async (token: string) => {
  const hashes = [createHash('sha256').update(token).digest('hex')]
  const { body } = await identity.client.request<unknown[]>('POST', '/internal/sessions/verify', { body: { hashes } })
  return body.length === 1
}
const isBlocked = async (blockerId: string, userId: string) =>
  (await identity.client.request('POST', '/internal/users/blocked', { body: { blockerId, userId } })).body

describe('an operator who suspends a user', () => {
  test('ends their sessions at once, and they can sign in again only when it has ended', async () => {
    const person = aRegistration()
    const signedUp = await identity.signUp(person)
    const { id } = signedUp.body.user
    expect(await suspend(id, true)).toMatchObject({
      status: 200,
      body: { suspendedAt: expect.any(String), sessions: 0 },
    })
    expect(await isLive(tokenOf(signedUp))).toBe(false)
    const signIn = (password: string) => identity.signIn(person.email, password)
    expect(await signIn(person.password)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_SUSPENDED' } })
    // Who does not know the password does not learn it.
    expect(await signIn('something else')).toMatchObject({ status: 401, body: { code: 'INVALID_CREDENTIALS' } })
    expect(await suspend(id, false)).toMatchObject({ status: 200, body: { suspendedAt: null } })
    expect(await isLive(tokenOf(signedUp))).toBe(false)
    expect(await signIn(person.password)).toMatchObject({ status: 200 })
  })

  test('keeps their address: a link to another one, which was asked for before, opens nothing, also after the end', async () => {
    const person = aRegistration()
    const signedUp = await identity.signUp(person)
    const { id } = signedUp.body.user
    const { firstName, lastName, username, password } = person
    const email = `new.${person.email}`
    const body = { firstName, lastName, username, email, phoneNumber: null, currentPassword: password }
    const { rows } = await identity.database.admin.query('SELECT id FROM identity.sessions WHERE user_id = $1', [id])
    const actor = { ...userActor(id), sessionId: rows[0].id as string }
    const asked = await identity.client.request('PUT', '/api/profile', { actor, body })
    expect(asked.status).toBe(200)
    const token = /#([\w-]{43})/.exec((await identity.mailsTo(email))[0]!.text)![1]
    await suspend(id, true)
    const confirm = () => identity.client.request('POST', '/api/auth/verify-email', { body: { token } })
    expect(await confirm()).toMatchObject({ status: 410, body: { code: 'GONE' } })
    await suspend(id, false)
    expect(await confirm()).toMatchObject({ status: 410, body: { code: 'GONE' } })
  })

  test('leaves no session live that was opened at the same moment', async () => {
    const person = aRegistration()
    const { id } = (await identity.signUp(person)).body.user
    const answers = await Promise.all([
      suspend(id, true),
      ...Array.from({ length: 4 }, () => identity.signIn(person.email, person.password)),
    ])
    for (const answer of answers.slice(1)) {
      if (answer.status === 200) expect(await isLive(tokenOf(answer))).toBe(false)
      else expect(answer.status).toBe(403)
    }
  })

  test('keeps each change once, with its reason', async () => {
    const { id } = (await identity.signUp()).body.user
    for (const isSuspended of [true, true, false]) await suspend(id, isSuspended)
    // The escrow charges nothing more for Premium.
    expect(await told(id)).toEqual([true, false])
    const acts = await identity.client.request('GET', `/internal/admin/acts?subject=user:${id}`, { actor: admin })
    expect(acts.body).toMatchObject([
      { act: 'user.restore', before: { isSuspended: true }, after: { isSuspended: false } },
      { act: 'user.suspend', actorId: admin.id, reason: 'Sold what they did not have' },
    ])
  })

  test('lets nobody open a deal with them', async () => {
    const { id } = (await identity.signUp()).body.user
    expect(await isBlocked(id, newId())).toEqual({ isBlocked: false })
    await suspend(id, true)
    expect(await isBlocked(id, newId())).toEqual({ isBlocked: true })
  })

  test('cannot make them an admin before the suspension has ended', async () => {
    const { id } = (await identity.signUp()).body.user
    const makeAdmin = () =>
      identity.client.request('POST', `/api/admin/users/${id}/role`, {
        actor: admin,
        body: { role: 'admin', reason: 'They asked for it' },
      })
    await suspend(id, true)
    expect(await makeAdmin()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    await suspend(id, false)
    expect(await makeAdmin()).toMatchObject({ status: 200, body: { role: 'admin' } })
  })

  test('cannot suspend an admin, themselves, or nobody', async () => {
    const { id } = (await identity.signUp()).body.user
    expect(await suspend(id, true, { ...admin, id })).toMatchObject({ status: 403 })
    await identity.database.admin.query(`UPDATE identity.users SET role = 'admin' WHERE id = $1`, [id])
    expect(await suspend(id, true)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
    expect(await suspend(newId(), true)).toMatchObject({ status: 404 })
    const user = userActor()
    expect(await suspend(id, true, user)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })
})
