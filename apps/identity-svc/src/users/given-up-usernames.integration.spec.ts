import { accountChecked } from '@holdfast/contracts/events'
import { newEvent } from '@holdfast/events/outbox/event'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'
import { USERNAME_CHANGES_PER_USER } from '../profile/profile.service.js'

let addresses = 0
const anAddress = () => `198.51.102.${++addresses}`

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

async function aPerson() {
  const registration = aRegistration()
  const { id } = (await identity.signUp(registration, anAddress())).body.user
  const { rows } = await identity.database.admin.query('SELECT id FROM identity.sessions WHERE user_id = $1', [id])
  const actor: UserActor = { ...userActor(id), sessionId: rows[0].id as string }
  return { ...registration, id, actor }
}
type Person = Awaited<ReturnType<typeof aPerson>>
const rename = ({ actor, firstName, lastName, email }: Person, username: string) =>
  identity.client.request('PUT', '/api/profile', {
    actor,
    body: { firstName, lastName, email, phoneNumber: null, username, changed: ['username'] },
    clientIp: anAddress(),
  })
const pageOf = (username: string) =>
  identity.client.request('GET', `/api/sellers/${username}`, { actor: null, clientIp: anAddress() })
const signUpAs = (username: string) =>
  identity.client.request('POST', '/api/auth/signup', { body: { ...aRegistration(), username }, clientIp: anAddress() })
const TAKEN = { status: 409, body: { code: 'USERNAME_TAKEN' } }

async function close({ actor, id, password }: Person) {
  const body = { currentPassword: password }
  await identity.client.request('POST', '/internal/account/closing', { actor, body, clientIp: anAddress() })
  const { rows } = await identity.database.admin.query('SELECT closing_id FROM identity.users WHERE id = $1', [id])
  const at = new Date()
  const payload = { userId: id, closingId: rows[0].closing_id, at: at.toISOString(), obstacles: [] }
  await publishAs('escrow-svc', identity.database, newEvent(accountChecked, id, payload, at))
  await eventually(async () => {
    const found = await identity.database.admin.query('SELECT closed_at FROM identity.users WHERE id = $1', [id])
    return found.rows[0].closed_at !== null
  })
}

test('a username that its owner has changed is nobody else’s, and its page shows nobody', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  expect((await rename(ana, `new.${ana.username}`)).status).toBe(200)
  expect((await pageOf(ana.username)).status).toBe(404)
  expect(await rename(ben, ana.username.toUpperCase())).toMatchObject(TAKEN)
  expect(await signUpAs(ana.username)).toMatchObject(TAKEN)
  expect((await pageOf(ana.username)).status).toBe(404)
})

test('its former owner can take it back, and then the one in between is reserved', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  await rename(ana, `between.${ana.username}`)
  expect((await rename(ana, ana.username)).status).toBe(200)
  expect((await pageOf(ana.username)).status).toBe(200)
  expect(await rename(ben, `between.${ana.username}`)).toMatchObject(TAKEN)
  expect((await rename(ana, ana.username.toUpperCase())).status).toBe(200)
})

test('every username of an account that is closed stays reserved, and no row says whose it was', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  await rename(ana, `last.${ana.username}`)
  await close(ana)
  for (const username of [ana.username, `last.${ana.username}`])
    expect(await rename(ben, username)).toMatchObject(TAKEN)
  const { rows } = await identity.database.admin.query('SELECT FROM identity.given_up_username WHERE user_id = $1', [
    ana.id,
  ])
  expect(rows).toEqual([])
})

test('of many who want a username at the moment when it is given up, nobody gets it', async () => {
  for (let round = 0; round < 5; round++) {
    const [ana, ...others] = await Promise.all([aPerson(), aPerson(), aPerson(), aPerson()])
    const answers = await Promise.all([
      rename(ana!, `gone.${ana!.username}`),
      ...others.map(other => rename(other, ana!.username)),
      signUpAs(ana!.username),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409, 409, 409])
  }
})

test('a user changes it a few times a day, so that nobody reserves many', async () => {
  const ana = await aPerson()
  for (let n = 0; n < USERNAME_CHANGES_PER_USER.attempts; n++)
    expect((await rename(ana, `n${n}.${ana.username}`)).status).toBe(200)
  expect(await rename(ana, `more.${ana.username}`)).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect((await rename(ana, `N${USERNAME_CHANGES_PER_USER.attempts - 1}.${ana.username}`)).status).toBe(200)
})

test('the database refuses a username that was given up, whatever writes it', async () => {
  const [ana, ben] = [await aPerson(), await aPerson()]
  await rename(ana, `other.${ana.username}`)
  const write = identity.database.admin.query('UPDATE identity.users SET username = $2 WHERE id = $1', [
    ben.id,
    ana.username,
  ])
  await expect(write).rejects.toMatchObject({ code: '23505', constraint: 'given_up_username' })
})
