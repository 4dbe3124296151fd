import { createHash } from 'node:crypto'
import { accountChecked, type EventEnvelope } from '@holdfast/contracts/events'
import { PERSONAL_DATA_PARTS } from '@holdfast/contracts/personal-data'
import { newEvent } from '@holdfast/events/outbox/event'
import { CLOSING_OBSTACLE_TEXTS, type ClosingObstacle } from '@holdfast/kernel/account'
import { newId } from '@holdfast/kernel/ids'
import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { isCaughtUp, publishAs } from '@holdfast/testing/event-log'
import { eventually } from '@holdfast/testing/eventually'
import pg from 'pg'
import { aRegistration, RunningIdentity, tokenOf } from '../../test/running-identity.js'
import { closeAccount } from '../users/close-account.js'
import { ClosingTimer } from './closing.timer.js'
import { EXPORTS_PER_DAY } from './exports.service.js'
import { ProofOfPerson } from './proof-of-person.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

type Person = ReturnType<typeof aRegistration> & { readonly actor: UserActor; readonly token: string }
const CLOSING = '/internal/account/closing'

async function aPerson(more: object = {}): Promise<Person> {
  const registration = { ...aRegistration(), ...more }
  const answer = await identity.signUp(registration)
  const token = tokenOf(answer)
  const [session] = await sessionsOf(token)
  const [, sessionId, id] = session!
  return {
    ...registration,
    token,
    actor: { kind: 'user', id: id!, role: 'user', plan: 'standard', sessionId: sessionId! },
  }
}

async function sessionsOf(token: string): Promise<string[][]> {
  const hashes = [createHash('sha256').update(token).digest('hex')]
  return (await identity.client.request<string[][]>('POST', '/internal/sessions/verify', { body: { hashes } })).body
}

const begin = (person: Person, currentPassword: string | undefined = person.password) =>
  identity.client.request('POST', CLOSING, { actor: person.actor, body: { currentPassword } })

async function rowOf({ actor }: Person) {
  const { rows } = await identity.database.admin.query('SELECT * FROM identity.users WHERE id = $1', [actor.id])
  return rows[0]
}

/** What escrow-svc answers. */
async function answer(person: Person, obstacles: ClosingObstacle[], closingId?: string): Promise<void> {
  const payload = {
    userId: person.actor.id,
    closingId: closingId ?? ((await rowOf(person)).closing_id as string),
    at: new Date().toISOString(),
    obstacles,
  }
  await publishAs('escrow-svc', identity.database, newEvent(accountChecked, person.actor.id, payload, new Date()))
}

async function eventsOf({ actor }: Person, name: string): Promise<EventEnvelope['payload'][]> {
  const { rows } = await identity.database.admin.query(
    `SELECT payload FROM identity.outbox WHERE key = $1 AND type = $2 UNION SELECT payload::jsonb FROM events.log WHERE key = $1 AND type = $2`,
    [actor.id, `identity.user.${name}.v1`],
  )
  return rows.map(({ payload }) => payload)
}

/** The tables that keep what only a person had, sorted by name. */
const OF_PERSON = [
  ...['authenticator', 'authenticator_setup', 'blocks', 'contact', 'data_export', 'known_devices', 'mailed_token'],
  ...['passkey', 'phone', 'provider_account', 'push_subscription', 'recovery_code', 'sessions', 'sign_in_step', 'sms'],
]
/** Those of them that have rows of a person. */
async function tablesWith({ actor }: Person): Promise<string[]> {
  const found: string[] = []
  for (const table of OF_PERSON) {
    const sql = `SELECT FROM identity.${table} t WHERE position($1 IN t::text) > 0`
    if ((await identity.database.admin.query(sql, [actor.id])).rowCount) found.push(table)
  }
  return found
}

/** Writes a row about a person into each of these tables. Another person has blocked them. */
async function fillTables({ actor, email }: Person, other: Person): Promise<void> {
  const hash = `sha256($1::text::bytea)`
  const later = `now() + interval '1 hour'`
  for (const row of [
    `authenticator (user_id, sealed, key_id, wrapped_key, last_step) VALUES ($1, '', 'test', '', 1)`,
    `authenticator_setup (user_id, sealed, key_id, wrapped_key, expires_at) VALUES ($1, '', 'test', '', ${later})`,
    `blocks (blocker_id, blocked_id, created_at) VALUES ('${other.actor.id}', $1, now())`,
    `contact (owner_id, user_id) VALUES ($1, '${other.actor.id}')`,
    `data_export (token_hash, user_id, expires_at) VALUES (${hash}, $1, ${later})`,
    `mailed_token (token_hash, user_id, purpose, email, expires_at) VALUES (${hash}, $1, 'confirm_email', '${email}', ${later})`,
    `passkey (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up)
       VALUES (gen_random_uuid(), $1, $1::text, '', 0, '{}', 'A key', false)`,
    `phone (user_id, number) VALUES ($1, '+15550100100')`,
    `provider_account (issuer, subject, user_id) VALUES ('https://provider.example', $1::text, $1)`,
    `push_subscription (id, user_id, session_id, endpoint, p256dh, auth)
       VALUES (gen_random_uuid(), $1, '${actor.sessionId}', $1::text, '', '')`,
    `recovery_code (user_id, code_hash) VALUES ($1, ${hash})`,
    `sign_in_step (token_hash, user_id, password_version, expires_at) VALUES (${hash}, $1, 1, ${later})`,
    `sms (id, user_id, number, kind, due_at, ended_at, outcome)
       VALUES (gen_random_uuid(), $1, '+15550100100', 'code', NULL, now(), 'delivered')`,
  ])
    await identity.database.admin.query(`INSERT INTO identity.${row.replaceAll('$1', '$1::uuid')}`, [actor.id])
}

const closed = (person: Person) => eventually(async () => (await rowOf(person)).closed_at !== null)

describe('closing an account', () => {
  test('needs the password, and names the field', async () => {
    const ana = await aPerson()
    for (const wrong of ['not the password', '']) {
      const refused = await begin(ana, wrong)
      expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
      expect(JSON.stringify(refused.body)).toContain('currentPassword')
    }
    expect((await rowOf(ana)).closing_id).toBeNull()
    expect(await sessionsOf(ana.token)).toHaveLength(1)
  })

  test.each([
    [
      'the password was changed',
      'UPDATE identity.users SET password_version = password_version + 1 WHERE id = $1',
      400,
    ],
    ['the session has ended', 'UPDATE identity.sessions SET revoked_at = now() WHERE user_id = $1', 401],
  ])('and an export are refused when %s since the password was checked', async (_, change, status) => {
    const proof = identity.running.app.get(ProofOfPerson)
    const check = proof.require.bind(proof)
    for (const [path, ask] of [
      [CLOSING, begin],
      ['/api/account/exports', createExport],
    ] as const) {
      const ana = await aPerson()
      const spy = jest.spyOn(proof, 'require').mockImplementationOnce(async (...claim) => {
        const proved = await check(...claim)
        await identity.database.admin.query(change, [ana.actor.id])
        return proved
      })
      expect([path, (await ask(ana, ana.password)).status]).toEqual([path, status])
      expect((await rowOf(ana)).closing_id).toBeNull()
      spy.mockRestore()
    }
  })

  test('is refused to an admin', async () => {
    const ana = await aPerson()
    await identity.database.admin.query(`UPDATE identity.users SET role = 'admin' WHERE id = $1`, [ana.actor.id])
    expect(await begin(ana)).toMatchObject({ status: 409, body: { code: 'ACCOUNT_IN_USE' } })
  })

  test('ends every session at once, and the sign-in says the same as to a stranger', async () => {
    const ana = await aPerson()
    const other = await identity.signIn(ana.email, ana.password)
    expect((await begin(ana)).status).toBe(202)
    for (const token of [ana.token, tokenOf(other)]) expect(await sessionsOf(token)).toEqual([])
    const [refused, stranger] = [
      await identity.signIn(ana.email, ana.password),
      await identity.signIn('nobody@example.com', ana.password),
    ]
    expect(refused.status).toBe(401)
    expect(refused.body).toEqual({ ...stranger.body, requestId: expect.any(String) })
  })

  test('erases the person when escrow-svc finds nothing, and publishes it', async () => {
    const ana = await aPerson({ firstName: 'Zuzanna', lastName: 'Brzeczyszczykiewicz' })
    await identity.database.admin.query(
      `UPDATE identity.users SET phone_number = '+48 600 700 800', avatar = 'a', profile_image_url = 'b' WHERE id = $1`,
      [ana.actor.id],
    )
    await begin(ana)
    await answer(ana, [])
    await closed(ana)
    expect(await rowOf(ana)).toMatchObject({
      email: `${ana.actor.id}@closed.invalid`,
      first_name: 'Closed account',
      last_name: '',
      phone_number: null,
      avatar: null,
      profile_image_url: null,
      email_confirmed_at: null,
    })
    expect(await eventsOf(ana, 'closed')).toHaveLength(1)
    expect((await eventsOf(ana, 'updated')).at(-1)).toMatchObject({
      user: { firstName: 'Closed account', lastName: '' },
    })
    const [mail] = await identity.mailsTo(ana.email, 1).then(mails => mails.slice(-1))
    expect(mail?.subject).toBe('Your account is closed')
    for (const username of [ana.username, (await rowOf(ana)).username])
      expect(await identity.client.request('GET', `/api/sellers/${username}`)).toMatchObject({ status: 404 })
  })

  test('frees the e-mail address, and never the username', async () => {
    const ana = await aPerson()
    await begin(ana)
    await answer(ana, [])
    await closed(ana)
    const again = { email: ana.email, username: `${ana.username}x` }
    for (const username of [ana.username.toUpperCase(), ana.username.replace('o', '0')])
      expect((await identity.signUp({ ...again, username })).body).toMatchObject({ code: 'USERNAME_TAKEN' })
    expect((await identity.signUp(again)).status).toBe(201)
    const ben = await aPerson()
    const { email, firstName, lastName } = ben
    const change = { email, firstName, lastName, username: ana.username, phoneNumber: null }
    expect(
      (await identity.client.request('PUT', '/api/profile', { actor: ben.actor, body: change })).body,
    ).toMatchObject({
      code: 'USERNAME_TAKEN',
    })
  })

  test('leaves the account open when something has come up, and says what by mail', async () => {
    const ana = await aPerson()
    await begin(ana)
    await answer(ana, ['open_deal', 'balance'])
    await eventually(async () => (await rowOf(ana)).closing_id === null)
    expect(await eventsOf(ana, 'closing_refused')).toHaveLength(1)
    expect((await identity.signIn(ana.email, ana.password)).status).toBe(200)
    const mails = await identity.mailsTo(ana.email, 2)
    const mail = mails.find(({ subject }) => subject === 'Your account could not be closed')
    for (const obstacle of ['open_deal', 'balance'] as const)
      expect(mail?.text).toContain(CLOSING_OBSTACLE_TEXTS[obstacle])
  })

  test('leaves the account open when its user has become an admin meanwhile', async () => {
    const ana = await aPerson()
    await begin(ana)
    await identity.database.admin.query(`UPDATE identity.users SET role = 'admin' WHERE id = $1`, [ana.actor.id])
    await answer(ana, [])
    await eventually(() => isCaughtUp('identity-svc', identity.database))
    expect(await rowOf(ana)).toMatchObject({ closing_id: null, closed_at: null, role: 'admin' })
  })

  test('erases what only the person had, from every table', async () => {
    const [ana, ben] = [await aPerson(), await aPerson()]
    await fillTables(ana, ben)
    expect(await tablesWith(ana)).toEqual(OF_PERSON)
    await identity.database.admin.query('UPDATE identity.sessions SET second_factor_at = now() WHERE id = $1', [
      ana.actor.sessionId,
    ])
    await begin(ana)
    await answer(ana, [])
    await closed(ana)
    expect(await tablesWith(ana)).toEqual([])
  })

  test('ignores the answer to an earlier attempt, and a second answer', async () => {
    const ana = await aPerson()
    await begin(ana)
    const first = (await rowOf(ana)).closing_id as string
    await answer(ana, ['balance'])
    await eventually(async () => (await rowOf(ana)).closing_id === null)
    await identity.signIn(ana.email, ana.password)
    await begin(await signedInAgain(ana))
    await answer(ana, [], first)
    await answer(ana, [], newId())
    await eventually(() => isCaughtUp('identity-svc', identity.database))
    expect((await rowOf(ana)).closed_at).toBeNull()
    await answer(ana, [])
    await closed(ana)
    await answer(ana, ['balance'])
    await answer(ana, [])
    await eventually(() => isCaughtUp('identity-svc', identity.database))
    expect((await rowOf(ana)).closed_at).not.toBeNull()
    expect(await eventsOf(ana, 'closed')).toHaveLength(1)
  })

  test('asks escrow-svc again when no answer comes', async () => {
    const ana = await aPerson()
    await begin(ana)
    const timer = identity.running.app.get(ClosingTimer)
    await timer.fire(ana.actor.id)
    expect(await eventsOf(ana, 'closing')).toHaveLength(1)
    await identity.database.admin.query('UPDATE identity.users SET closing_next_at = now() WHERE id = $1', [
      ana.actor.id,
    ])
    await timer.fire(ana.actor.id)
    const asked = await eventsOf(ana, 'closing')
    expect(asked.length).toBeGreaterThanOrEqual(2)
    expect(new Set(asked.map(payload => (payload as { closingId: string }).closingId)).size).toBe(1)
  })

  test('can be begun by an operator, whose act is kept', async () => {
    const ana = await aPerson()
    const client = new pg.Client(identity.database.url())
    await client.connect()
    try {
      const command = { email: ana.email, reason: 'Asked by mail', commandLineUser: 'root' }
      expect(await closeAccount(client, command)).toBe(ana.username)
      expect(await closeAccount(client, command)).toBeNull()
      const admin = await aPerson()
      await identity.database.admin.query(`UPDATE identity.users SET role = 'admin' WHERE id = $1`, [admin.actor.id])
      expect(await closeAccount(client, { ...command, email: admin.email })).toBeNull()
    } finally {
      await client.end()
    }
    await eventually(async () => (await eventsOf(ana, 'closing')).length > 0)
    await answer(ana, [])
    await closed(ana)
    const { rows } = await identity.database.admin.query('SELECT * FROM identity.admin_act WHERE subject = $1', [
      `user:${ana.actor.id}`,
    ])
    expect(rows).toMatchObject([{ act: 'user.close', command_line_user: 'root' }])
    expect(JSON.stringify(rows)).not.toContain(ana.username)
  })

  test('is not crossed by a change of the profile that was on its way', async () => {
    const ana = await aPerson()
    await begin(ana)
    const { email, firstName, lastName, username, actor } = ana
    const body = { email, firstName, lastName, username, phoneNumber: '+1 555 0100' }
    expect((await identity.client.request('PUT', '/api/profile', { actor, body })).status).toBe(401)
  })
})

async function signedInAgain(person: Person): Promise<Person> {
  const token = tokenOf(await identity.signIn(person.email, person.password))
  const [session] = await sessionsOf(token)
  return { ...person, token, actor: { ...person.actor, sessionId: session![1]! } }
}

const createExport = ({ actor }: Person, currentPassword?: string) =>
  identity.client.request<{ token: string }>('POST', '/api/account/exports', { actor, body: { currentPassword } })

describe('an export', () => {
  const create = createExport
  const take = ({ actor }: Person, token: string) =>
    identity.client.request('POST', '/internal/account/exports/take', { actor, body: { token } })

  test('has an address that its user can use once', async () => {
    const [ana, ben] = [await aPerson(), await aPerson()]
    expect((await create(ana, 'wrong')).status).toBe(400)
    const { status, body } = await create(ana, ana.password)
    expect(status).toBe(201)
    expect((await take(ben, body.token)).status).toBe(404)
    expect((await take(ana, body.token)).status).toBe(204)
    expect((await take(ana, body.token)).status).toBe(404)
    // The last one of a day.
    await identity.countAs(`data-exports:${ana.actor.id}`, EXPORTS_PER_DAY - 1)
    const late = await create(ana, ana.password)
    expect([late.status, (await create(ana, ana.password)).status]).toEqual([201, 429])
    await identity.database.admin.query(
      `UPDATE identity.data_export SET expires_at = expires_at - interval '10 minutes' WHERE user_id = $1`,
      [ana.actor.id],
    )
    expect((await take(ana, late.body.token)).status).toBe(404)
  })

  test('of a person from a sign-in provider needs a fresh sign-in, and no password', async () => {
    const ana = await aPerson()
    await identity.database.admin.query(
      `INSERT INTO identity.provider_account (issuer, subject, user_id) VALUES ('https://provider.example', $1::uuid::text, $1::uuid)`,
      [ana.actor.id],
    )
    expect((await create(ana)).status).toBe(201)
    const wait = (minutes: number) =>
      identity.database.admin.query(
        `UPDATE identity.sessions SET created_at = created_at - $2 * interval '1 minute', confirmed_at = confirmed_at - $2 * interval '1 minute'
         WHERE id = $1`,
        [ana.actor.sessionId, minutes],
      )
    await wait(9)
    expect((await create(ana)).status).toBe(201)
    await wait(2)
    expect(await create(ana)).toMatchObject({ status: 403, body: { code: 'SIGN_IN_AGAIN' } })
    // Who has a second factor is asked to confirm who they are.
    await identity.database.admin.query(
      `INSERT INTO identity.passkey (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up)
       VALUES (gen_random_uuid(), $1, $2, '', 0, '{}', 'A key', false)`,
      [ana.actor.id, ana.actor.id],
    )
    expect(await create(ana)).toMatchObject({
      status: 403,
      body: { code: 'CONFIRMATION_REQUIRED', details: { methods: ['passkey'] } },
    })
    // Who has confirmed in this session who they are need not sign in again.
    await identity.database.admin.query(
      'UPDATE identity.sessions SET confirmed_at = now(), second_factor_at = now() WHERE id = $1',
      [ana.actor.sessionId],
    )
    expect((await create(ana)).status).toBe(201)
  })

  test('and an erasure leave out the mails to an address that the user has not confirmed, and keep those about the user', async () => {
    const ana = await aPerson()
    // Another person reads the mails of this address, and has asked for a new password here once.
    await identity.client.request('POST', '/api/auth/reset', { body: { email: ana.email } })
    const kindsOf = async () =>
      (
        await identity.client.request<{ items: { kind: string }[] }>('GET', '/internal/personal-data?part=mails', {
          actor: ana.actor,
        })
      ).body.items.map(({ kind }) => kind)
    expect(await kindsOf()).toEqual(['confirm-email'])
    await identity.confirmAddress(ana.actor.id)
    expect((await kindsOf()).sort()).toEqual(['confirm-email', 'reset-password'])
    await identity.confirmAddress(ana.actor.id, false)
    await begin(ana)
    await answer(ana, [])
    await closed(ana)
    const { rows } = await identity.database.admin.query('SELECT kind FROM identity.mail WHERE recipient = $1', [
      ana.email,
    ])
    expect(rows.map(({ kind }) => kind).sort()).toEqual(['account-closed', 'reset-password'])
  })

  test('has the account and no secret of it', async () => {
    const [ana, ben] = [await aPerson(), await aPerson()]
    await fillTables(ana, ben)
    await identity.client.request('POST', '/api/users/blocked', { actor: ana.actor, body: { userId: ben.actor.id } })
    const read = async (part: string) =>
      (
        await identity.client.request<{ items: object[]; next: string | null }>(
          'GET',
          `/internal/personal-data?part=${part}`,
          { actor: ana.actor },
        )
      ).body
    expect((await read('account')).items).toMatchObject([{ email: ana.email, firstName: ana.firstName }])
    expect((await read('contacts')).items).toMatchObject([{ username: ben.username }])
    expect(JSON.stringify((await read('contacts')).items)).not.toContain(ben.email)
    expect((await read('sessions')).items).toHaveLength(1)
    const empty: string[] = []
    for (const part of PERSONAL_DATA_PARTS['identity-svc']) {
      const page = await read(part)
      expect(JSON.stringify(page)).not.toMatch(/hash|token/i)
      if (page.items.length === 0) empty.push(part)
    }
    expect(empty.sort()).toEqual(['actsOfAdmins', 'enquiries', 'identityVerifications'])
    const unknown = await identity.client.request('GET', '/internal/personal-data?part=users', { actor: ana.actor })
    expect(unknown.status).toBe(404)
  })
})
