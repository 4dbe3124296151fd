import type { AdminUser } from '@holdfast/contracts/admin-users'
import type { CurrentUser } from '@holdfast/contracts/users'
import { APPROVER_AFTER_DAYS } from '@holdfast/kernel/admin'
import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'

let identity: RunningIdentity
const admin = { ...userActor(), role: 'admin' as const }
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

type Details = AdminUser & { readonly liveSessions: readonly { readonly id: string }[] }
const get = <T>(path: string, actor: typeof admin = admin) => identity.client.request<T>('GET', path, { actor })
const post = (path: string, body: object = {}, actor: typeof admin = admin) =>
  identity.client.request<Details & { code?: string }>('POST', path, {
    actor,
    body: { reason: 'They asked for it', ...body },
  })
const newUser = async (registration: object = {}): Promise<CurrentUser> =>
  (await identity.signUp(registration)).body.user
const approvers = async () => (await get<{ userIds: string[] }>('/internal/admin/approvers')).body.userIds
/** As if users had been appointed long ago: from now on they count for acts that need two admins. */
const countFromNow = (...ids: string[]) =>
  identity.database.admin.query('UPDATE identity.users SET approves_from = now() WHERE id = ANY($1)', [ids])
const actsOn = async (id: string) => (await get<object[]>(`/internal/admin/acts?subject=user:${id}`)).body

describe('an operator', () => {
  test('finds users by name, username, e-mail address and id, newest first', async () => {
    const first = await newUser({ firstName: 'Wanda', lastName: 'Ode', username: 'wanda-1' })
    const second = await newUser({ firstName: 'Wim', lastName: 'Ode', username: 'wim-2', email: 'wim@example.org' })
    const found = async (query: string) => (await get<AdminUser[]>(`/api/admin/users${query}`)).body.map(({ id }) => id)
    expect(await found('?q=ode')).toEqual([second.id, first.id])
    for (const q of ['wanda-1', 'wanda%20ode', first.id, first.email])
      expect(await found(`?q=${q}`)).toEqual([first.id])
    expect(await found('?q=wim@exam')).toEqual([second.id])
    const page = await get<AdminUser[]>('/api/admin/users?q=ode&limit=1')
    expect(page.body).toMatchObject([{ id: second.id, role: 'user', sessions: 1, verificationStatus: 'pending' }])
    expect(page.headers.get('link')).toContain(`before=${second.id}`)
    expect(await found(`?q=ode&before=${second.id}`)).toEqual([first.id])
  })

  test('makes a user an admin and back, and each change is kept', async () => {
    const { id } = await newUser()
    for (const role of ['admin', 'admin', 'user'])
      expect(await post(`/api/admin/users/${id}/role`, { role })).toMatchObject({ status: 200, body: { role } })
    expect(await actsOn(id)).toMatchObject([
      { act: 'user.change_role', before: { role: 'admin' }, after: { role: 'user' } },
      { before: { role: 'user' }, after: { role: 'admin' }, actorId: admin.id, reason: 'They asked for it' },
    ])
    expect(await actsOn(id)).toHaveLength(2)
  })

  test('counts for acts that need two admins only some days after another admin has appointed them', async () => {
    const { id } = await newUser()
    const { body } = await post(`/api/admin/users/${id}/role`, { role: 'admin' })
    const waitDays = (Date.parse(body.approvesFrom!) - Date.now()) / 86_400_000
    expect(waitDays).toBeGreaterThan(APPROVER_AFTER_DAYS - 0.01)
    expect(waitDays).toBeLessThan(APPROVER_AFTER_DAYS + 0.01)
    expect(await approvers()).not.toContain(id)
    await countFromNow(id)
    expect(await approvers()).toContain(id)
    await post(`/api/admin/users/${id}/role`, { role: 'user' })
    expect(await approvers()).not.toContain(id)
    // The time begins anew, so taking the role and giving it back does not shorten it.
    await post(`/api/admin/users/${id}/role`, { role: 'admin' })
    expect(await approvers()).not.toContain(id)
  })

  test('verifies a user and takes it back; both are kept and published', async () => {
    const { id } = await newUser()
    const decide = (decision: string) => post(`/api/admin/verifications/${id}/decision`, { decision })
    for (const decision of ['approved', 'approved', 'rejected'])
      expect(await decide(decision)).toMatchObject({ status: 200, body: { verificationStatus: decision } })
    expect(await actsOn(id)).toMatchObject([
      { act: 'user.unverify', before: { verificationStatus: 'approved' }, after: { verificationStatus: 'rejected' } },
      { act: 'user.verify', before: { verificationStatus: 'pending' }, actorId: admin.id, reason: 'They asked for it' },
    ])
    const published = await eventually(async () => {
      const { rows } = await identity.database.admin.query<{ user: { id: string; isVerified: boolean } }>(
        `SELECT payload::jsonb -> 'user' AS "user" FROM events.log WHERE type = 'identity.user.updated.v1' AND key = $1
          ORDER BY position`,
        [id],
      )
      return rows.length === 2 && rows.map(({ user }) => user)
    })
    expect(published).toMatchObject([
      { id, isVerified: true },
      { id, isVerified: false },
    ])
    const self = { ...admin, id }
    expect(await post(`/api/admin/verifications/${id}/decision`, { decision: 'approved' }, self)).toMatchObject({
      status: 403,
    })
  })

  test('reads the names behind ids, and unknown ids are left out', async () => {
    const { id } = await newUser({ firstName: 'Wanda', lastName: 'Ode' })
    expect(await get(`/api/admin/names?ids=${newId()},${id}`)).toMatchObject({ body: [{ id, name: 'Wanda Ode' }] })
    expect(await get('/api/admin/names?ids=1')).toMatchObject({ status: 400 })
  })

  test('neither verifies an account that is being closed nor gives it a role', async () => {
    const { id } = await newUser()
    await identity.database.admin.query('UPDATE identity.users SET closing_id = $2, closing_at = now() WHERE id = $1', [
      id,
      newId(),
    ])
    for (const [path, body] of [
      [`/api/admin/users/${id}/role`, { role: 'admin' }],
      [`/api/admin/verifications/${id}/decision`, { decision: 'approved' }],
    ] as const)
      expect(await post(path, body)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const { body } = await get<Details>(`/api/admin/users/${id}`)
    expect(body).toMatchObject({ role: 'user', verificationStatus: 'pending' })
  })

  test('cannot change their own role, so that one admin always stays', async () => {
    const { id } = await newUser()
    const self = { ...admin, id }
    expect(await post(`/api/admin/users/${id}/role`, { role: 'user' }, self)).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    })
  })

  test('cannot take the role from another admin before they count themselves, so that others can notice their appointment', async () => {
    const [newcomer, older] = [await newUser(), await newUser()]
    for (const { id } of [newcomer, older]) await post(`/api/admin/users/${id}/role`, { role: 'admin' })
    await countFromNow(older.id)
    const take = () => post(`/api/admin/users/${older.id}/role`, { role: 'user' }, { ...admin, id: newcomer.id })
    expect(await take()).toMatchObject({ status: 403, body: { code: 'ADMIN_TOO_NEW' } })
    await countFromNow(newcomer.id)
    expect(await take()).toMatchObject({ status: 200, body: { role: 'user' } })
  })

  test('and another one cannot both take the other’s role at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const admins = await Promise.all([newUser(), newUser()])
      for (const { id } of admins) await post(`/api/admin/users/${id}/role`, { role: 'admin' })
      await countFromNow(...admins.map(({ id }) => id))
      const [one, other] = admins.map(({ id }) => ({ ...admin, id }))
      await Promise.all([
        post(`/api/admin/users/${other!.id}/role`, { role: 'user' }, one),
        post(`/api/admin/users/${one!.id}/role`, { role: 'user' }, other),
      ])
      const roles = await Promise.all(
        admins.map(async ({ id }) => (await get<Details>(`/api/admin/users/${id}`)).body.role),
      )
      expect(roles.sort()).toEqual(['admin', 'user'])
    }
  })

  test('ends every session of a user', async () => {
    const person = aRegistration()
    const { id } = await newUser(person)
    await identity.signIn(person.email, person.password)
    expect((await get<Details>(`/api/admin/users/${id}`)).body.liveSessions).toHaveLength(2)
    expect(await post(`/api/admin/users/${id}/end-sessions`)).toMatchObject({
      status: 200,
      body: { sessions: 0, liveSessions: [] },
    })
    expect(await actsOn(id)).toMatchObject([
      { act: 'user.end_sessions', before: { sessions: 2 }, after: { sessions: 0 } },
    ])
  })

  test('gets 404 for a user who does not exist, and gives a reason', async () => {
    const { id } = await newUser()
    const unknown = `/api/admin/users/${newId()}`
    for (const answer of [
      await get(unknown),
      await post(`${unknown}/role`, { role: 'user' }),
      await post(`${unknown}/end-sessions`),
      await post(`/api/admin/verifications/${newId()}/decision`, { decision: 'approved' }),
    ])
      expect(answer).toMatchObject({ status: 404 })
    expect(await post(`/api/admin/users/${id}/end-sessions`, { reason: '' })).toMatchObject({
      status: 400,
      body: { details: { fields: { reason: 'Say why' } } },
    })
  })
})

test('a user who is no admin, and a visitor, find none of it', async () => {
  const { id } = await newUser()
  for (const actor of [userActor(id), null])
    for (const [method, path] of [
      ['GET', '/api/admin/users'],
      ['GET', `/api/admin/users/${id}`],
      ['POST', `/api/admin/users/${id}/role`],
      ['POST', `/api/admin/users/${id}/end-sessions`],
      ['POST', `/api/admin/verifications/${id}/decision`],
      ['GET', `/api/admin/names?ids=${id}`],
    ] as const)
      expect(await identity.client.request(method, path, { actor })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      })
})

test('the kept acts cannot be changed by the service', async () => {
  const { rows } = await identity.database.admin.query<{ rights: string[] }>(
    `SELECT array_agg(privilege_type::text ORDER BY privilege_type) AS rights FROM information_schema.role_table_grants
      WHERE table_schema = 'identity' AND table_name = 'admin_act' AND grantee = 'identity_svc'`,
  )
  expect(rows[0]!.rights).toEqual(['INSERT', 'SELECT'])
})
