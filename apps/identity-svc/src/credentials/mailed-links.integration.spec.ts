import { createHash } from 'node:crypto'
import { DEVICE_HEADER } from '@holdfast/contracts/session-cookie'
import { Mailer, UPCOMING } from '@holdfast/mail/mailer'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { FactorPerson } from '../../test/factor-person.js'
import { aRegistration, RunningIdentity, tokenOf } from '../../test/running-identity.js'
import { CONFIRMATIONS_PER_MAILBOX, CONFIRMATIONS_PER_USER } from './email-confirmation.service.js'
import { NEW_PASSWORDS_PER_ADDRESS, RESETS_PER_ACCOUNT, RESETS_PER_ADDRESS } from './password-reset.service.js'

const NEW_PASSWORD = 'quite another long sentence'
/** No other person of these tests has this address of the network, so its limits count only these requests. */
let addresses = 0
const anAddress = () => `198.51.100.${++addresses}`

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

async function aPerson(registration: object = {}) {
  const body = { ...aRegistration(), ...registration }
  const answer = await identity.signUp(body, anAddress())
  return { ...body, id: answer.body.user.id, token: tokenOf(answer) }
}

const post = (path: string, body: object, user?: string) =>
  identity.client.request('POST', path, {
    body,
    clientIp: anAddress(),
    ...(user ? { actor: userActor(user) } : {}),
  })
const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)![1]!
const isConfirmed = async (id: string) => {
  const { rows } = await identity.database.admin.query('SELECT email_confirmed_at FROM identity.users WHERE id = $1', [
    id,
  ])
  return rows[0].email_confirmed_at !== null
}
/** What the two events of a user say about their address, oldest first. */
const publishedOf = (id: string) =>
  eventually(async () => {
    const { rows } = await identity.database.admin.query<{ confirmed: boolean }>(
      `SELECT payload::jsonb -> 'user' -> 'emailConfirmed' AS confirmed FROM events.log
       WHERE type IN ('identity.user.registered.v1', 'identity.user.updated.v1') AND key = $1 ORDER BY position`,
      [id],
    )
    return rows.length === 2 && rows.map(({ confirmed }) => confirmed)
  })
/** The times of the same events, as readers compare them to keep the latest. */
const timesOf = async (id: string) => {
  const { rows } = await identity.database.admin.query<{ at: Date }>(
    `SELECT occurred_at AS at FROM events.log
     WHERE type IN ('identity.user.registered.v1', 'identity.user.updated.v1') AND key = $1 ORDER BY position`,
    [id],
  )
  return rows.map(({ at }) => at.getTime())
}
/** The mail with this subject, once it is there. Mails that are sent at the same moment arrive in any order. */
const mailAbout = (subject: string, email: string) =>
  eventually(async () => (await identity.mailsTo(email)).find(mail => mail.subject === subject))
const confirmationOf = async (email: string, nth = 1) => tokenIn((await identity.mailsTo(email, nth))[nth - 1]!.text)

describe('the mail after signing up', () => {
  test('counts for other services also when the account was opened by a process whose clock is fast', async () => {
    const clock = jest.spyOn(identity.running.app.get(Clock), 'now').mockReturnValue(new Date(Date.now() + 3_000))
    const { id, email } = await aPerson().finally(() => clock.mockRestore())
    await post('/api/auth/verify-email', { token: await confirmationOf(email) }, id)
    expect(await publishedOf(id)).toEqual([false, true])
    const [registered, confirmed] = await timesOf(id)
    expect(registered).toBeLessThan(confirmed!)
  })

  test('repeats nothing that was typed, has one link and no way to unsubscribe, and says the same in both parts', async () => {
    const { email } = await aPerson({ firstName: 'Win at evil.example' })
    const [mail] = await identity.mailsTo(email)
    expect(mail).toMatchObject({ subject: 'Confirm your e-mail address', recipients: [email] })
    expect(`${mail!.text} ${mail!.html}`).not.toContain('evil.example')
    expect(mail!.html).toContain(`http://localhost:3000/auth/confirm#${tokenIn(mail!.text)}`)
    expect(mail!.headers).not.toHaveProperty('list-unsubscribe')
    expect(mail!.headers['message-id']).toMatch(/^<[0-9a-f-]{36}@holdfast.example>$/)
  })

  test('is left out for a mailbox that got many; the account opens all the same', async () => {
    const variant = (n: number) => `flooded+${n}@example.com`
    for (let n = 0; n < CONFIRMATIONS_PER_MAILBOX.attempts; n++) await aPerson({ email: variant(n) })
    const last = await aPerson({ email: variant(CONFIRMATIONS_PER_MAILBOX.attempts) })
    expect((await post('/api/auth/verify-email/send', {}, last.id)).status).toBe(429)
    const { rows } = await identity.database.admin.query(
      `SELECT recipient FROM identity.mail WHERE recipient LIKE 'flooded+%'`,
    )
    expect(rows).toHaveLength(CONFIRMATIONS_PER_MAILBOX.attempts)
    expect(rows).not.toContainEqual({ recipient: variant(CONFIRMATIONS_PER_MAILBOX.attempts) })
  })

  test('confirms the address once, also when it is opened again; its token is nowhere in the database', async () => {
    const { id, email } = await aPerson()
    const token = await confirmationOf(email)
    const { rows } = await identity.database.admin.query(
      'SELECT (SELECT json_agg(m) FROM identity.mail m)::text || (SELECT json_agg(t) FROM identity.mailed_token t)::text AS all',
    )
    // PostgreSQL writes bytes as hex.
    for (const form of [token, Buffer.from(token).toString('hex'), Buffer.from(token, 'base64url').toString('hex')])
      expect(rows[0].all).not.toContain(form)
    const kept = await identity.database.admin.query(
      'SELECT token_hash FROM identity.mailed_token WHERE user_id = $1',
      [id],
    )
    expect(kept.rows).toEqual([{ token_hash: createHash('sha256').update(token).digest() }])
    expect(await isConfirmed(id)).toBe(false)
    expect((await post('/api/auth/verify-email', { token }, id)).status).toBe(204)
    expect(await isConfirmed(id)).toBe(true)
    expect(await publishedOf(id)).toEqual([false, true])
    expect((await post('/api/auth/verify-email', { token }, id)).status).toBe(204)
    expect(await publishedOf(id)).toEqual([false, true])
    await identity.database.admin.query("UPDATE identity.mailed_token SET expires_at = expires_at - interval '1 day'")
    expect(await post('/api/auth/verify-email', { token }, id)).toMatchObject({
      status: 410,
      body: { code: 'GONE', message: 'This link has expired or was used already.' },
    })
  })

  test('confirms nothing when it is too old, made up, for another purpose, or when the address is another meanwhile', async () => {
    const { id, email } = await aPerson()
    const old = await confirmationOf(email)
    await identity.database.admin.query("UPDATE identity.mailed_token SET expires_at = expires_at - interval '1 day'")
    expect((await post('/api/auth/verify-email', { token: old })).status).toBe(410)
    expect((await post('/api/auth/verify-email', { token: 'A'.repeat(43) })).status).toBe(410)
    await post('/api/auth/reset', { email })
    const reset = tokenIn((await mailAbout('Set a new password', email)).text)
    expect((await post('/api/auth/verify-email', { token: reset })).status).toBe(410)
    await post('/api/auth/verify-email/send', {}, id)
    const fresh = await confirmationOf(email, 3)
    await identity.database.admin.query('UPDATE identity.users SET email = $2 WHERE id = $1', [id, `new.${email}`])
    expect((await post('/api/auth/verify-email', { token: fresh }, id)).status).toBe(204)
    expect(await isConfirmed(id)).toBe(false)
  })

  test('is not sent when the address is another meanwhile: its link would confirm that one', async () => {
    const { admin } = identity.database
    // The mail server is away for a while.
    await admin.query(`ALTER TABLE identity.mail ALTER COLUMN due_at SET DEFAULT now() + interval '1 hour'`)
    const { id, email } = await aPerson()
    await admin.query('ALTER TABLE identity.mail ALTER COLUMN due_at SET DEFAULT now()')
    await admin.query('UPDATE identity.users SET email = $2 WHERE id = $1', [id, `new.${email}`])
    await admin.query('UPDATE identity.mail SET due_at = now() WHERE recipient = $1', [email])
    const outcome = async () =>
      (await admin.query('SELECT outcome FROM identity.mail WHERE recipient = $1', [email])).rows[0].outcome
    await eventually(async () => {
      await identity.sweepMails()
      return (await outcome()) !== null
    })
    expect(await outcome()).toBe('not_needed')
  })

  test('is sent again when its user asks, with a limit per hour, and not when the address is confirmed', async () => {
    const { id, email } = await aPerson()
    const ask = () => post('/api/auth/verify-email/send', {}, id)
    for (let n = 0; n < CONFIRMATIONS_PER_USER.attempts; n++) expect((await ask()).status).toBe(204)
    expect(await ask()).toMatchObject({ status: 429, body: { details: { retryAfterSeconds: expect.any(Number) } } })
    const mails = await identity.mailsTo(email, 1 + CONFIRMATIONS_PER_USER.attempts)
    // The first link is still good: mails are sometimes late.
    expect((await post('/api/auth/verify-email', { token: tokenIn(mails[0]!.text) }, id)).status).toBe(204)
    expect((await ask()).status).toBe(204)
    expect((await post('/api/auth/verify-email', { token: tokenIn(mails[1]!.text) })).status).toBe(410)
    expect(await identity.mailsTo(email)).toHaveLength(mails.length)
  })
})

describe('a forgotten password', () => {
  const ask = (email: string) => post('/api/auth/reset', { email })
  const resetTokenOf = async (email: string) => {
    await ask(email)
    return tokenIn((await mailAbout('Set a new password', email)).text)
  }

  test('is replaced with the mailed link: sessions end, a mail says so, and the address is confirmed', async () => {
    const { id, email, password } = await aPerson()
    await identity.signIn(email, password)
    const token = await resetTokenOf(email)
    expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204)
    const { rows } = await identity.database.admin.query(
      'SELECT count(*)::int AS live FROM identity.sessions WHERE user_id = $1 AND revoked_at IS NULL',
      [id],
    )
    expect([rows[0].live, await isConfirmed(id), await publishedOf(id)]).toEqual([0, true, [false, true]])
    expect((await identity.signIn(email, password, anAddress())).status).toBe(401)
    expect((await identity.signIn(email, NEW_PASSWORD, anAddress())).status).toBe(200)
    await mailAbout('Your password was changed', email)
    expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(410)
  })

  test('opens the account after it was replaced, also when wrong guesses from that browser and from many others had locked it', async () => {
    const { email } = await aPerson()
    const clientIp = anAddress()
    const account = createHash('sha256').update(email).digest('base64url')
    const pair = createHash('sha256').update(`${account} ${clientIp}`).digest('base64url')
    const guessed = async (key: string) => identity.countAs(key, 1_000)
    for (const key of [`sign-in-pair:${pair}`, `sign-in-account:${account}`]) await guessed(key)
    expect((await identity.signIn(email, NEW_PASSWORD, clientIp)).status).toBe(429)
    const token = await resetTokenOf(email)
    const done = await identity.client.request('POST', '/api/auth/reset/confirm', {
      body: { token, password: NEW_PASSWORD },
      clientIp,
    })
    expect(done.status).toBe(204)
    // Whoever guesses goes on at once, and locks the account for every browser that is not known.
    await guessed(`sign-in-account:${account}`)
    await guessed(`sign-in-pair:${pair}`)
    const device = /^holdfast_device=([^;]+);/.exec(done.headers.get('set-cookie') ?? '')?.[1] ?? ''
    const cookies = { [DEVICE_HEADER]: device }
    expect((await identity.signIn(email, NEW_PASSWORD, anAddress(), {})).status).toBe(429)
    expect((await identity.signIn(email, NEW_PASSWORD, clientIp, cookies)).status).toBe(200)
  })

  test('leaves the guesses counted while its link is only asked for, or is a wrong one', async () => {
    const { email } = await aPerson()
    const account = createHash('sha256').update(email).digest('base64url')
    await identity.countAs(`sign-in-account:${account}`, 1_000)
    await ask(email)
    expect((await post('/api/auth/reset/confirm', { token: 'A'.repeat(43), password: NEW_PASSWORD })).status).toBe(410)
    expect((await identity.signIn(email, 'whatever this is', anAddress())).status).toBe(429)
  })

  test('makes no browser known for a user with a second factor: fewer of its codes could be guessed otherwise', async () => {
    const ana = await FactorPerson.signUp(identity)
    const { email } = ana.registration
    await identity.confirmAddress((await ana.findActor())!.id)
    await ana.addApp()
    const account = createHash('sha256').update(email).digest('base64url')
    await identity.countAs(`sign-in-account:${account}`, 1_000)
    const token = await resetTokenOf(email)
    const done = await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })
    expect([done.status, done.headers.get('set-cookie')]).toEqual([204, null])
    expect((await identity.signIn(email, NEW_PASSWORD, anAddress())).body).toMatchObject({
      code: 'SECOND_FACTOR_REQUIRED',
    })
  })

  test('is not replaced by one that is easy to guess, and the link can be used again', async () => {
    const { email, username } = await aPerson()
    const token = await resetTokenOf(email)
    const weak = await post('/api/auth/reset/confirm', { token, password: `${username}${username}` })
    expect(weak).toMatchObject({ status: 400, body: { details: { fields: { password: expect.any(String) } } } })
    expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204)
  })

  test('is mailed to the address of the account, and not to the address as it was typed', async () => {
    const { email } = await aPerson({ email: 'Casey.Person@example.com' })
    await ask('cASEY.pERSON@EXAMPLE.COM')
    await mailAbout('Set a new password', email)
    expect(identity.mails.flatMap(({ recipients }) => recipients)).not.toContain('cASEY.pERSON@EXAMPLE.COM')
  })

  test('can be replaced once when its link is used twice at the same moment', async () => {
    const { email } = await aPerson()
    const token = await resetTokenOf(email)
    const use = () => post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })
    const answers = await Promise.all([use(), use(), use()])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 410, 410])
  })

  test('opens an account to the owner of its address, although a stranger opened it and added second factors', async () => {
    const stranger = await FactorPerson.signUp(identity)
    const { email } = stranger.registration
    await stranger.addApp()
    const passkey = await stranger.addPasskey()
    const token = await resetTokenOf(email)
    expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204)
    await mailAbout('What was added to your account was removed', email)
    const known = 'SELECT FROM identity.known_devices WHERE token_hash = $1'
    const device = createHash('sha256').update(stranger.jar.get('device')).digest()
    expect((await identity.database.admin.query(known, [device])).rowCount).toBe(0)

    stranger.leaveBrowser(anAddress())
    const used = passkey.use(await stranger.optionsOf('passkey/start'))
    expect((await stranger.call('POST', 'passkey', { passkey: used })).body.code).toBe('PASSKEY_REFUSED')
    expect((await identity.signIn(email, NEW_PASSWORD, anAddress())).status).toBe(200)
  })

  test('does not remove the second factors of a confirmed user', async () => {
    const ana = await FactorPerson.signUp(identity)
    const { email } = ana.registration
    const { id } = (await ana.findActor())!
    expect((await post('/api/auth/verify-email', { token: await confirmationOf(email) }, id)).status).toBe(204)
    await ana.addApp()
    const token = await resetTokenOf(email)
    expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204)
    expect((await identity.signIn(email, NEW_PASSWORD, anAddress())).body).toMatchObject({
      code: 'SECOND_FACTOR_REQUIRED',
    })
  })

  test('of an address without an account is answered as any other, and nobody gets a mail', async () => {
    const unknown = 'nobody.has.this@example.com'
    const { email } = await aPerson()
    const [stranger, known] = [await ask(unknown), await ask(email)]
    expect([stranger.status, stranger.body]).toEqual([known.status, known.body])
    await identity.mailsTo(email, 2)
    const { rows } = await identity.database.admin.query('SELECT outcome FROM identity.mail WHERE recipient = $1', [
      unknown,
    ])
    expect(rows).toEqual([{ outcome: 'not_needed' }])
    expect(identity.mails.filter(({ recipients }) => recipients.includes(unknown))).toEqual([])
  })

  test('has a limit per hour for an address, with or without an account, and the answer says how long to wait', async () => {
    for (const email of ['not.here@example.com', (await aPerson()).email]) {
      for (let n = 0; n < RESETS_PER_ACCOUNT.attempts; n++) expect((await ask(email)).status).toBe(204)
      expect(await ask(email)).toMatchObject({
        status: 429,
        body: { details: { retryAfterSeconds: expect.any(Number) } },
      })
    }
  })
})

test.each([
  [
    'Links to set a new password',
    'reset-address',
    RESETS_PER_ADDRESS,
    '/api/auth/reset',
    { email: 'no@example.com' },
    204,
  ],
  [
    'New passwords',
    ...['reset-password', NEW_PASSWORDS_PER_ADDRESS, '/api/auth/reset/confirm'],
    ...[{ token: 'A'.repeat(43), password: NEW_PASSWORD }, 410],
  ],
] as const)('%s have a limit for one address of the network', async (_, limit, { attempts }, path, body, status) => {
  const clientIp = '203.0.150.1'
  await identity.countAs(`${limit}:${clientIp}`, attempts - 1)
  const ask = async () => (await identity.client.request('POST', path, { body, clientIp })).status
  expect([await ask(), await ask()]).toEqual([status, 429])
})

/** A node of a plan as EXPLAIN writes it. */
interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly PlanNode[]
}
/** How many rows of tables a plan has read. */
function rowsRead({ Plans = [], ...node }: PlanNode): number {
  const own = node['Relation Name'] ? node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) : 0
  return own * node['Actual Loops'] + Plans.reduce((sum, each) => sum + rowsRead(each), 0)
}

describe('a mail', () => {
  const stateOf = async (recipient: string) => {
    const { rows } = await identity.database.admin.query(
      `SELECT outcome, attempts, last_error, extract(epoch FROM due_at - now())::int AS pause FROM identity.mail
       WHERE recipient = $1`,
      [recipient],
    )
    return rows[0]
  }
  const until = async (recipient: string, ready: (state: Awaited<ReturnType<typeof stateOf>>) => boolean) => {
    for (;;) {
      const state = await stateOf(recipient)
      if (ready(state)) return state
      await identity.sweepMails()
    }
  }

  test('waits behind one mail of each other mailbox, however many mails another mailbox gets', async () => {
    const mailer = identity.running.app.get(Mailer)
    await identity.sweepMails()
    const queue = (recipient: string, count: number, agoMs: number) =>
      identity.database.admin.query(
        `INSERT INTO identity.mail (id, kind, recipient, data, due_at)
         SELECT gen_random_uuid(), 'made-up', $1, '{}', now() - $3 * interval '1 millisecond' FROM generate_series(1, $2)`,
        [recipient, count, agoMs],
      )
    await queue('Burst@example.com', 300, 60_000)
    await queue('burst@example.com', 300, 60_000)
    await queue('patient@example.com', 2, 1_000)
    const due = (await mailer.upcoming(0, 10)).map(({ id }) => id)
    const { rows } = await identity.database.admin.query('SELECT id FROM identity.mail WHERE recipient = $1', [
      'patient@example.com',
    ])
    expect(rows.filter(({ id }) => due.includes(id))).toHaveLength(2)
    await identity.database.admin.query(`DELETE FROM identity.mail WHERE kind = 'made-up'`)
  })

  test('is found without reading all that wait', async () => {
    const { admin } = identity.database
    await admin.query(
      `INSERT INTO identity.mail (id, kind, recipient, data, due_at)
       SELECT gen_random_uuid(), 'made-up', 'person' || i % 20000 || '@example.com', '{}', now() + interval '1 day' FROM generate_series(1, 50000) i`,
    )
    await admin.query('ANALYZE identity.mail')
    const client = await admin.connect()
    try {
      await client.query('SET search_path = identity')
      const aheadMs = 2 * 24 * 60 * 60 * 1000
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${UPCOMING}`, [aheadMs, 200, '0'])
      expect(rowsRead(rows[0]['QUERY PLAN'][0].Plan)).toBeLessThan(10_000)
    } finally {
      client.release(true)
      await admin.query(`DELETE FROM identity.mail WHERE kind = 'made-up'`)
    }
  })

  test('to a mailbox that does not exist is not sent again, and says why', async () => {
    const { email } = await aPerson({ email: 'nobody-here@example.com' })
    expect(await until(email, ({ outcome }) => outcome !== null)).toMatchObject({
      outcome: 'refused',
      attempts: 1,
      last_error: expect.stringContaining('There is no such mailbox here.'),
    })
  })

  test('that is refused for now is sent again after a pause, and given up after a day', async () => {
    const { email } = await aPerson({ email: 'busy-now@example.com' })
    const first = await until(email, ({ last_error }) => last_error !== null)
    expect(first).toMatchObject({ outcome: null, attempts: 1, last_error: expect.stringContaining('Try again later') })
    expect(first.pause).toBeGreaterThan(20)
    const due = (age: string) =>
      identity.database.admin.query(
        `UPDATE identity.mail SET due_at = now(), created_at = now() - interval '${age}' WHERE recipient = $1`,
        [email],
      )
    await due('23 hours')
    expect((await until(email, ({ attempts, pause }) => attempts === 2 && pause < 100)).outcome).toBeNull()
    await due('25 hours')
    expect(await until(email, ({ outcome }) => outcome !== null)).toMatchObject({ outcome: 'given_up', attempts: 3 })
  })

  test('of a kind that no release knows any more is given up after a day', async () => {
    const recipient = 'kind@example.com'
    await identity.database.admin.query(
      `INSERT INTO identity.mail (id, kind, recipient, data, created_at)
       VALUES (gen_random_uuid(), 'no-such-kind', $1, '{}', now() - interval '25 hours')`,
      [recipient],
    )
    expect(await until(recipient, ({ attempts }) => attempts > 0)).toMatchObject({
      outcome: 'given_up',
      last_error: expect.stringContaining('no words for mails of this kind'),
    })
  })

  test('that was sent has not failed when the database cannot note it', async () => {
    const { admin } = identity.database
    await admin.query(`ALTER TABLE identity.mail ADD CONSTRAINT none_sent CHECK (outcome <> 'sent') NOT VALID`)
    const { email } = await aPerson()
    await identity.mailsTo(email).catch(() => undefined)
    await eventually(async () => identity.mails.some(({ recipients }) => recipients.includes(email)))
    await admin.query('ALTER TABLE identity.mail DROP CONSTRAINT none_sent')
    expect(await stateOf(email)).toMatchObject({ outcome: null, attempts: 1, last_error: null })
  })

  test('is sent by one of several replicas that find it at the same moment', async () => {
    const { email } = await aPerson()
    await Promise.all([1, 2, 3, 4].map(() => identity.sweepMails()))
    await identity.mailsTo(email)
    expect(await until(email, ({ outcome }) => outcome !== null)).toMatchObject({ outcome: 'sent', attempts: 1 })
    expect(await identity.mailsTo(email)).toHaveLength(1)
  })

  test('whose process was killed after the server had taken it has the same Message-ID the second time', async () => {
    const { email } = await aPerson()
    await identity.mailsTo(email)
    await until(email, ({ outcome }) => outcome === 'sent')
    await identity.database.admin.query(
      'UPDATE identity.mail SET outcome = NULL, ended_at = NULL, due_at = now() WHERE recipient = $1',
      [email],
    )
    const ids = (await identity.mailsTo(email, 2)).map(({ headers }) => headers['message-id'])
    expect(new Set(ids).size).toBe(1)
  })
})
