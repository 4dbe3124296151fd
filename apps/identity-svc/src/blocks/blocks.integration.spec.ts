import type { PayloadOf, userBlocksChanged } from '@holdfast/contracts/events'
import type { CurrentUser, PublicUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { MAX_BLOCKED_USERS } from '@holdfast/kernel/users'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningIdentity } from '../../test/running-identity.js'

const PATH = '/api/users/blocked'

let identity: RunningIdentity
let ana: CurrentUser
let ben: CurrentUser
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())
beforeEach(async () => {
  ana = (await identity.signUp()).body.user
  ben = (await identity.signUp()).body.user
})

const block = (by: CurrentUser, userId: string) =>
  identity.client.request('POST', PATH, { actor: userActor(by.id), body: { userId } })
const unblock = (by: CurrentUser, userId: string) =>
  identity.client.request('DELETE', `${PATH}/${userId}`, { actor: userActor(by.id) })
const listOf = async (by: CurrentUser) =>
  (await identity.client.request<PublicUser[]>('GET', PATH, { actor: userActor(by.id) })).body
const isBlocked = async (blocker: CurrentUser, user: CurrentUser) => {
  const body = { blockerId: blocker.id, userId: user.id }
  return (await identity.client.request<{ isBlocked: boolean }>('POST', '/internal/users/blocked', { body })).body
}

type BlocksChange = PayloadOf<typeof userBlocksChanged>

/** The changes that were published about a user's blocks, in their order. */
const publishedBy = async ({ id }: CurrentUser, count: number) =>
  eventually(async () => {
    const { rows } = await identity.database.admin.query<{ change: BlocksChange }>(
      `SELECT payload::jsonb AS change FROM events.log WHERE type = 'identity.user.blocks_changed.v1' AND key = $1 ORDER BY position`,
      [id],
    )
    return rows.length >= count ? rows.map(({ change }) => change) : undefined
  })

describe('blocking a user', () => {
  test('is known to the services, in this direction only', async () => {
    expect((await block(ana, ben.id)).status).toBe(204)
    expect(await isBlocked(ana, ben)).toEqual({ isBlocked: true })
    expect(await isBlocked(ben, ana)).toEqual({ isBlocked: false })
  })

  test('shows only public fields of the blocked user, and only to the blocker', async () => {
    await block(ana, ben.id)
    const { email: _, ...rest } = ben
    expect(await listOf(ana)).toEqual([expect.objectContaining({ id: rest.id, username: rest.username })])
    expect((await listOf(ana))[0]).not.toHaveProperty('email')
    expect(await listOf(ben)).toEqual([])
  })

  test('hides the blocker from the blocked user’s search, and from nobody else’s', async () => {
    const eve = (await identity.signUp()).body.user
    await block(ana, ben.id)
    await identity.confirmAddress(ana.id)
    const found = async (by: CurrentUser, q: string) => {
      const path = `/api/users/search?q=${encodeURIComponent(q)}`
      const { body } = await identity.client.request<PublicUser[]>('GET', path, { actor: userActor(by.id) })
      return body.map(({ id }) => id)
    }
    for (const q of [ana.username, ana.email!]) {
      expect(await found(ben, q)).not.toContain(ana.id)
      expect(await found(eve, q)).toContain(ana.id)
    }
    expect(await found(ana, ben.username)).toContain(ben.id)
  })

  test('keeps the blocked user’s mails from the blocker’s confirmed mailbox, however its address is written', async () => {
    await block(ana, ben.id)
    const isKept = async (email: string, user = ben) => {
      const body = { email, userId: user.id }
      return (
        await identity.client.request<{ isBlocked: boolean }>('POST', '/internal/users/blocked-mailbox', { body })
      ).body.isBlocked
    }
    expect(await isKept(ana.email!)).toBe(false)
    await identity.confirmAddress(ana.id)
    for (const email of [ana.email!, ana.email!.toUpperCase(), ana.email!.replace('@', '+shop@')])
      expect(await isKept(email)).toBe(true)
    expect(await isKept(ben.email!)).toBe(false)
    expect(await isKept(ana.email!, ana)).toBe(false)
  })

  test('twice changes nothing, and it can be taken back once', async () => {
    for (let i = 0; i < 2; i++) expect((await block(ana, ben.id)).status).toBe(204)
    expect(await listOf(ana)).toHaveLength(1)
    expect((await unblock(ana, ben.id)).status).toBe(204)
    expect(await isBlocked(ana, ben)).toEqual({ isBlocked: false })
    expect(await unblock(ana, ben.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test('is published with its end, each once and in their order', async () => {
    for (let i = 0; i < 2; i++) await block(ana, ben.id)
    await unblock(ana, ben.id)
    await unblock(ana, ben.id)
    await block(ana, ben.id)
    const changes = await publishedBy(ana, 3)
    const change = { userId: ana.id, blockedIds: [ben.id] }
    expect(changes).toMatchObject([true, false, true].map(isBlocked => ({ ...change, isBlocked })))
    const times = changes.map(({ at }) => Date.parse(at))
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  test('is possible for so many people', async () => {
    await identity.database.admin.query(
      `WITH made AS (INSERT INTO identity.users (id, email, username, password_hash, first_name, last_name, created_at)
         SELECT gen_random_uuid(), 'b' || n || '@example.com', 'blocked' || n, 'x', 'B', 'B', now() FROM generate_series(1, $2) n RETURNING id)
       INSERT INTO identity.blocks (blocker_id, blocked_id, created_at) SELECT $1, id, now() FROM made`,
      [ana.id, MAX_BLOCKED_USERS - 1],
    )
    expect((await block(ana, ben.id)).status).toBe(204)
    const { id } = (await identity.signUp()).body.user
    expect(await block(ana, id)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  })

  test('is refused for oneself, for an unknown user, and without a session', async () => {
    expect(await block(ana, ana.id)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    expect(await block(ana, newId())).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await block(ana, 'ben')).toMatchObject({ status: 400 })
    expect(await identity.client.request('POST', PATH, { body: { userId: ben.id } })).toMatchObject({ status: 401 })
  })
})
