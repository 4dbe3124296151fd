import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'

const NEW_PASSWORD = 'quite another long sentence'
let addresses = 0
const anAddress = () => `198.51.101.${++addresses}`

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const post = (path: string, body: object, user?: string) =>
  identity.client.request('POST', path, { body, clientIp: anAddress(), actor: user ? userActor(user) : null })
const sql = async <R extends object>(text: string, ...values: unknown[]): Promise<R[]> =>
  (await identity.database.admin.query(text, values)).rows as R[]
const linkTo = async (email: string, subject: string) =>
  eventually(async () => {
    const mail = (await identity.mailsTo(email)).find(each => each.subject === subject)
    return mail && /#([\w-]{43})/.exec(mail.text)![1]!
  })

/** An account that somebody has opened with this address, and to which they have attached what can be attached. */
async function anAccountOfAStranger() {
  const registration = aRegistration()
  const { body } = await identity.signUp(registration, anAddress())
  const { id } = body.user
  const other = (await identity.signUp({}, anAddress())).body.user.id
  await sql(
    `UPDATE identity.users SET phone_number = '+15550100', avatar = 'a', profile_image_url = 'https://x.example/p',
    verification_status = 'approved' WHERE id = $1`,
    id,
  )
  await sql('INSERT INTO identity.contact (owner_id, user_id) VALUES ($1, $2)', id, other)
  await sql('INSERT INTO identity.blocks (blocker_id, blocked_id, created_at) VALUES ($1, $2, now())', id, other)
  await sql(`INSERT INTO identity.phone (user_id, number, confirmed_at) VALUES ($1, '+15550100', now())`, id)
  await sql(
    `INSERT INTO identity.provider_account (issuer, subject, user_id) VALUES ('https://i.example', $1::text, $1::uuid)`,
    id,
  )
  await sql(
    `INSERT INTO identity.data_export (token_hash, user_id, expires_at) VALUES (sha256($1::text::bytea), $1::uuid, now())`,
    id,
  )
  return { ...registration, id, other }
}

const ATTACHED = [
  'contact WHERE owner_id',
  'blocks WHERE blocker_id',
  'phone WHERE user_id',
  'provider_account WHERE user_id',
  'data_export WHERE user_id',
] as const
const attachedTo = async (id: string) => {
  const counts = await Promise.all(
    ATTACHED.map(each => sql<{ n: number }>(`SELECT count(*)::int AS n FROM identity.${each} = $1`, id)),
  )
  return counts.map(([row]) => row!.n)
}
const factsOf = async (id: string) =>
  (
    await sql(
      `SELECT phone_number, avatar, profile_image_url, verification_status, taken_over_at IS NOT NULL AS "isTakenOver",
         email_confirmed_at IS NOT NULL AS "isConfirmed", (SELECT count(*)::int FROM identity.sessions s
           WHERE s.user_id = users.id AND revoked_at IS NULL) AS sessions FROM identity.users WHERE id = $1`,
      id,
    )
  )[0]

describe('an account whose address nobody has confirmed', () => {
  test('loses all that was attached to it when the owner of the address sets a new password', async () => {
    const { id, email, other } = await anAccountOfAStranger()
    expect((await attachedTo(id)).every(count => count > 0)).toBe(true)
    await post('/api/auth/reset', { email })
    const token = await linkTo(email, 'Set a new password')
    expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204)
    expect(await factsOf(id)).toEqual({
      phone_number: null,
      avatar: null,
      profile_image_url: null,
      verification_status: 'pending',
      isTakenOver: true,
      isConfirmed: true,
      sessions: 0,
    })
    const left = await attachedTo(id)
    expect(left).toEqual(left.map(() => 0))
    const blocks = await eventually(async () => {
      const rows = await sql(
        `SELECT payload::jsonb AS change FROM events.log WHERE type = 'identity.user.blocks_changed.v1' AND key = $1`,
        id,
      )
      return rows.length > 0 && rows
    })
    expect(blocks).toMatchObject([{ change: { userId: id, blockedIds: [other], isBlocked: false } }])
    await eventually(async () =>
      (await identity.mailsTo(email)).some(({ subject }) => subject === 'What was added to your account was removed'),
    )
  })

  test('is published as taken over in the same event as its confirmed address, so that nothing is paid out in between', async () => {
    const { id, email } = await anAccountOfAStranger()
    await post('/api/auth/reset', { email })
    const token = await linkTo(email, 'Set a new password')
    await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })
    const published = await eventually(async () => {
      const rows = await sql<{ user: { emailConfirmed: boolean; takenOverAt: string | null; isVerified: boolean } }>(
        `SELECT payload::jsonb -> 'user' AS user FROM events.log WHERE type = 'identity.user.updated.v1' AND key = $1`,
        id,
      )
      return rows.length > 0 ? rows : undefined
    })
    expect(published.map(({ user }) => user)).toMatchObject([
      { emailConfirmed: true, takenOverAt: expect.any(String), isVerified: false },
    ])
  })

  test('keeps what is attached when it is confirmed by a link that its own session opens', async () => {
    const { id, email } = await anAccountOfAStranger()
    const before = await attachedTo(id)
    const token = await linkTo(email, 'Confirm your e-mail address')
    expect((await post('/api/auth/verify-email', { token }, id)).status).toBe(204)
    expect(await attachedTo(id)).toEqual(before)
    expect(await factsOf(id)).toMatchObject({ isConfirmed: true, isTakenOver: false, verification_status: 'approved' })
  })

  test('is not confirmed by a link that is opened without a session of it: whoever opened the account may be another person', async () => {
    const { id, email, other } = await anAccountOfAStranger()
    const token = await linkTo(email, 'Confirm your e-mail address')
    for (const user of [undefined, other])
      expect(await post('/api/auth/verify-email', { token }, user)).toMatchObject({
        status: 403,
        body: { code: 'SIGN_IN_TO_CONFIRM' },
      })
    expect(await factsOf(id)).toMatchObject({ isConfirmed: false })
    expect((await post('/api/auth/verify-email', { token }, id)).status).toBe(204)
  })
})

describe('an account whose address is confirmed', () => {
  test('keeps what is attached when its password is reset', async () => {
    const { id, email } = await anAccountOfAStranger()
    await identity.confirmAddress(id)
    const before = await attachedTo(id)
    await post('/api/auth/reset', { email })
    const token = await linkTo(email, 'Set a new password')
    expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204)
    expect(await factsOf(id)).toMatchObject({
      isTakenOver: false,
      verification_status: 'approved',
      phone_number: '+15550100',
    })
    expect(await attachedTo(id)).toEqual(before)
  })

  test('gets no address that is confirmed without its session: its new owner would take over what is attached', async () => {
    const { id, email, password } = await anAccountOfAStranger()
    await identity.confirmAddress(id)
    const address = `owner.${email}`
    const profile = {
      firstName: 'Ana',
      lastName: 'Silva',
      username: 'ana.of.this.test',
      phoneNumber: null,
      email: address,
    }
    const answer = await identity.client.request('PUT', '/api/profile', {
      body: { ...profile, currentPassword: password, changed: ['email'] },
      actor: {
        ...userActor(id),
        sessionId: (await sql<{ id: string }>('SELECT id FROM identity.sessions WHERE user_id = $1', id))[0]!.id,
      },
      clientIp: anAddress(),
    })
    expect(answer.status).toBe(200)
    const token = await linkTo(address, 'Confirm your new e-mail address')
    expect((await post('/api/auth/verify-email', { token })).body).toMatchObject({ code: 'SIGN_IN_TO_CONFIRM' })
    expect((await post('/api/auth/verify-email', { token }, id)).status).toBe(204)
  })
})
