import type { CurrentUser, PublicUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { MAX_CONTACTS } from '@holdfast/kernel/users'
import { userActor } from '@holdfast/testing/signed-client'
import { RunningIdentity } from '../../test/running-identity.js'

let identity: RunningIdentity
let ana: CurrentUser
let ben: CurrentUser
let cem: CurrentUser
beforeAll(async () => {
  identity = await RunningIdentity.start()
  ;[ana, ben, cem] = (await Promise.all([1, 2, 3].map(() => identity.signUp()))).map(({ body }) => body.user) as [
    CurrentUser,
    CurrentUser,
    CurrentUser,
  ]
})
afterAll(() => identity.stop())

const add = (by: CurrentUser, userId: string) =>
  identity.client.request('POST', '/api/contacts', { actor: userActor(by.id), body: { userId } })
const remove = (by: CurrentUser, userId: string) =>
  identity.client.request('DELETE', `/api/contacts/${userId}`, { actor: userActor(by.id) })
const listOf = async (by: CurrentUser) =>
  (await identity.client.request<PublicUser[]>('GET', '/internal/contacts', { actor: userActor(by.id) })).body

test('contacts are saved once, latest first, show no e-mail address, and can be removed', async () => {
  for (const { id } of [ben, cem, ben]) expect((await add(ana, id)).status).toBe(204)
  expect((await listOf(ana)).map(({ id }) => id)).toEqual([cem.id, ben.id])
  expect((await listOf(ana))[0]).not.toHaveProperty('email')
  expect(await listOf(ben)).toEqual([])
  expect((await remove(ana, cem.id)).status).toBe(204)
  expect((await listOf(ana)).map(({ id }) => id)).toEqual([ben.id])
  expect(await remove(ana, cem.id)).toMatchObject({ status: 404 })
})

test('oneself, an unknown person and too many are refused', async () => {
  expect(await add(cem, cem.id)).toMatchObject({
    status: 400,
    body: { details: { fields: { userId: expect.any(String) } } },
  })
  expect(await add(cem, newId())).toMatchObject({ status: 404 })
  const { admin } = identity.database
  await admin.query(
    `WITH made AS (INSERT INTO identity.users (id, email, username, password_hash, first_name, last_name, created_at)
       SELECT gen_random_uuid(), 'c' || n || '@example.com', 'contact' || n, 'x', 'C', 'C', now() FROM generate_series(1, $2) n RETURNING id)
     INSERT INTO identity.contact (owner_id, user_id) SELECT $1, id FROM made`,
    [cem.id, MAX_CONTACTS - 1],
  )
  expect((await add(cem, ben.id)).status).toBe(204)
  expect(await add(cem, ana.id)).toMatchObject({ status: 429 })
})
