import { createHash } from 'node:crypto'
import { DomainError, ERROR_MESSAGES } from '@holdfast/kernel/errors'
import { RESERVED_NAME, RESERVED_USERNAME } from '@holdfast/names/names'
import { networkKey } from '@holdfast/service-kit/auth/address-key'
import { POOL_SIZE } from '@holdfast/service-kit/database/connection-limits'
import { DataSource } from 'typeorm'
import { aRegistration, cookiesOf, RunningIdentity, tokenOf } from '../../test/running-identity.js'
import { KnownDevicesService, MAX_DEVICES_PER_USER } from '../devices/known-devices.service.js'
import { Passwords } from './passwords.js'
import {
  FAILURES_PER_ACCOUNT,
  FAILURES_PER_ACCOUNT_AND_NETWORK,
  FAILURES_PER_ADDRESS,
  FAILURES_PER_DEVICE,
  FAILURES_PER_NETWORK,
  SIGN_UPS_PER_ADDRESS,
} from './sign-in-limits.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const signUpOver = (path: string, body: unknown) => identity.client.request('POST', path, { body })

describe('signing up', () => {
  test.each(['/api/auth/signup', '/api/auth/register'])('over %s opens an account and a session', async path => {
    const registration = aRegistration()
    const answer = await signUpOver(path, registration)
    expect(answer.status).toBe(201)
    const { password: _, ...known } = registration
    expect(answer.body).toEqual({
      user: {
        ...known,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        isVerified: false,
        emailConfirmed: false,
        verificationStatus: 'pending',
        verificationReason: null,
        rating: null,
        profileImageUrl: null,
        avatar: null,
        phoneNumber: null,
        totalTransactions: 0,
        role: 'user',
        plan: 'standard',
        createdAt: expect.stringMatching(/Z$/),
      },
    })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^holdfast_session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/),
      expect.stringMatching(
        /^holdfast_device=[\w-]{43}; Path=\/api\/auth\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
      ),
    ])
  })

  test('keeps no password and no token, only their hashes', async () => {
    const registration = aRegistration()
    const answer = await identity.signUp(registration)
    const { rows } = await identity.database.admin.query(
      'SELECT u.password_hash, s.token_hash FROM identity.users u JOIN identity.sessions s ON s.user_id = u.id WHERE email = $1',
      [registration.email],
    )
    expect(rows[0].password_hash).toMatch(/^\$argon2id\$/)
    expect(rows[0].token_hash).toEqual(createHash('sha256').update(tokenOf(answer)).digest())
  })

  test.each([
    ['email', 'not an address', 'Invalid email address'],
    ['email', undefined, 'Required'],
    ['password', 'password1', 'Too easy to guess: choose a longer or less common password'],
    ['password', 'AnaSilva!', 'Must not be made of your name, username or email'],
    ['password', 'short', 'At least 8 characters'],
    ['password', 'x'.repeat(201), 'At most 200 characters'],
    ['firstName', '  ', 'Required'],
    ['lastName', 'x'.repeat(61), 'At most 60 characters'],
    ['username', 'a b', '3 to 30 letters, digits, dots, hyphens or underscores; a letter or digit first'],
    ['username', 'Holdfast.Support', RESERVED_USERNAME],
    ['username', 'admin1', RESERVED_USERNAME],
    ['username', 'escrow.payments', RESERVED_USERNAME],
    ['username', 'no-reply', RESERVED_USERNAME],
    ['username', 12, 'Required'],
    ['firstName', 'ʜᴏʟᴅꜰᴀꜱᴛ', RESERVED_NAME],
    ['firstName', 'Payment Protection', RESERVED_NAME],
    ['lastName', 'Trust & Safety', RESERVED_NAME],
    ['firstName', 'Нolɗfast', 'Use the letters of one script, such as only Latin or only Cyrillic ones'],
    ['lastName', 'Silvа', 'Use the letters of one script, such as only Latin or only Cyrillic ones'],
    ['firstName', 'Claim your $900: evil-prize.com/x7', 'Must be a name, not an address'],
    ['firstName', 'Call 0800 123 4567', 'Must be a name, not a phone number'],
    ['firstName', 'A\u202Ena', 'Must not contain invisible characters'],
    ['lastName', 'Sil\u200Bva', 'Must not contain invisible characters'],
    ['firstName', 'Ana\u0000', 'Must not contain such characters'],
  ])('with %s = %j is refused, and the field is named', async (field, value, message) => {
    const answer = await signUpOver('/api/auth/signup', { ...aRegistration(), [field]: value })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ code: 'VALIDATION_FAILED', details: { fields: { [field]: message } } })
  })

  test('with an e-mail address that is taken is refused, also in another case', async () => {
    const taken = aRegistration()
    await identity.signUp(taken)
    const answer = await identity.signUp({ email: taken.email.toUpperCase() })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({
      code: 'EMAIL_TAKEN',
      error: 'Email may already be in use.',
      details: { fields: { email: 'Email may already be in use.' } },
    })
  })

  test('with a username that is taken is refused, also in another case', async () => {
    const taken = aRegistration()
    await identity.signUp(taken)
    const answer = await identity.signUp({ username: taken.username.toUpperCase() })
    expect(answer.status).toBe(409)
    expect(answer.body).toMatchObject({ code: 'USERNAME_TAKEN' })
  })

  test('with a taken username is refused before its password is judged, and says nothing about the address', async () => {
    const taken = aRegistration()
    await identity.signUp(taken)
    const { username, email } = taken
    const judge = jest.spyOn(identity.running.app.get(Passwords), 'weaknessOf')
    const answer = await identity.signUp({ username, email, password: 'password1' })
    expect(answer.body).toMatchObject({ code: 'USERNAME_TAKEN' })
    expect(answer.body).toHaveProperty('details.fields', { username: ERROR_MESSAGES.USERNAME_TAKEN })
    expect(judge).not.toHaveBeenCalled()
    judge.mockRestore()
  })

  test('at the same moment with one e-mail address opens one account, and the others are refused', async () => {
    const { email } = aRegistration()
    const answers = await Promise.all(Array.from({ length: 6 }, () => identity.signUp({ email })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409, 409, 409, 409])
    const refused = answers.filter(answer => answer.status === 409)
    for (const answer of refused) expect(answer.body).toMatchObject({ code: 'EMAIL_TAKEN' })
  })

  test('with a username that looks like that of another is refused', async () => {
    expect((await identity.signUp({ username: 'Theo.Mills' })).status).toBe(201)
    for (const username of ['the0mills', 'THEO-MI1LS', 'theo_rnill5', 'theo.mllls'])
      expect(await identity.signUp({ username })).toMatchObject({
        status: 409,
        body: { code: 'USERNAME_TAKEN', details: { fields: { username: ERROR_MESSAGES.USERNAME_TAKEN } } },
      })
    expect((await identity.signUp({ username: 'theo.mills2' })).status).toBe(201)
  })

  test('at the same moment with usernames that look alike opens one account', async () => {
    const { username } = aRegistration()
    const alike = [username, username.toUpperCase(), `${username}.`, username.replaceAll('o', '0')]
    const answers = await Promise.all(alike.map(username => identity.signUp({ username })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409, 409, 409])
    for (const answer of answers)
      if (answer.status === 409) expect(answer.body).toMatchObject({ code: 'USERNAME_TAKEN' })
  })

  test('is limited for one address of the network', async () => {
    await identity.countAs('sign-up-address:203.0.140.1', SIGN_UPS_PER_ADDRESS.attempts - 1)
    const statusFrom = async (clientIp: string) => (await identity.signUp({}, clientIp)).status
    expect([await statusFrom('203.0.140.1'), await statusFrom('203.0.140.1')]).toEqual([201, 429])
    expect(await statusFrom('203.0.140.2')).toBe(201)
  })

  test('publishes the user without e-mail address or password', async () => {
    const registration = aRegistration()
    const { user } = (await identity.signUp(registration)).body
    const { rows } = await identity.database.admin.query(
      `SELECT type, key, payload FROM identity.outbox WHERE key = $1
       UNION ALL SELECT type, key, payload::jsonb FROM events.log WHERE key = $1`,
      [user.id],
    )
    expect(rows[0]).toEqual({
      type: 'identity.user.registered.v1',
      key: user.id,
      payload: {
        user: {
          id: user.id,
          username: registration.username,
          firstName: 'Ana',
          lastName: 'Silva',
          isVerified: false,
          emailConfirmed: false,
          takenOverAt: null,
          rating: null,
          profileImageUrl: null,
        },
      },
    })
  })
})

describe('signing in', () => {
  const person = aRegistration()
  beforeAll(() => identity.signUp(person))

  test.each(['/api/auth/signin', '/api/auth/login'])('over %s opens a new session every time', async path => {
    const body = { email: person.email.toUpperCase(), password: person.password }
    const first = await identity.client.request('POST', path, { body })
    const second = await identity.client.request('POST', path, { body })
    expect(first.status).toBe(200)
    expect(first.body).toMatchObject({ user: { email: person.email, username: person.username } })
    expect(tokenOf(first)).not.toBe(tokenOf(second))
  })

  test('with a wrong password or an unknown e-mail address is refused with the same message', async () => {
    const wrong = await identity.signIn(person.email, 'wrong horse battery', '192.0.2.9')
    const unknown = await identity.signIn('nobody@example.com', person.password, '192.0.2.9')
    for (const answer of [wrong, unknown]) {
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ code: 'INVALID_CREDENTIALS', message: 'Invalid email or password' })
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    for (const email of [person.email, 'nobody@example.com']) {
      const body = { email, password: 'wrong horse battery' }
      const answer = await identity.client.request('POST', '/api/auth/login', { body, clientIp: '192.0.2.9' })
      expect(answer).toMatchObject({
        status: 401,
        body: { code: 'INVALID_CREDENTIALS', message: 'Invalid credentials', error: 'Invalid credentials' },
      })
    }
  })

  test.each([
    ['email', { password: 'x' }],
    ['password', { email: 'a@example.com' }],
    ['password', { email: 'a@example.com', password: { $ne: '' } }],
    ['password', { email: 'a@example.com', password: '' }],
  ])('without a readable %s is refused, and the field is named', async (field, body) => {
    const answer = await identity.client.request('POST', '/api/auth/signin', { body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ details: { fields: { [field]: expect.anything() } } })
  })

  test.each(['{', '[]', 'null', '"text"'])('with the body %s is refused', async body => {
    const answer = await identity.client.request('POST', '/api/auth/signin', { body })
    expect(answer.status).toBe(400)
  })

  test('without the gateway’s signature is refused', async () => {
    expect(await identity.client.unsigned('POST', '/api/auth/signin')).toBe(403)
  })
})

describe('guessing passwords', () => {
  const wrong = (email: string, clientIp: string) => identity.signIn(email, 'wrong horse battery', clientIp)

  test('is refused after ten failures for one account from one address, with the time to wait', async () => {
    const { email, password } = await newPerson()
    for (let i = 0; i < 10; i++) expect((await wrong(email, '198.51.100.1')).status).toBe(401)
    const answer = await identity.signIn(email, password, '198.51.100.1')
    expect(answer.status).toBe(429)
    expect(answer.body).toMatchObject({ code: 'RATE_LIMITED' })
    const seconds = Number(answer.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(800)
    expect(seconds).toBeLessThanOrEqual(900)
    // Another address is not affected.
    expect((await identity.signIn(email, password, '198.51.100.2')).status).toBe(200)
  })

  test('counts failures only, and a success deletes earlier failures', async () => {
    const { email, password } = await newPerson()
    for (let i = 0; i < 9; i++) await wrong(email, '198.51.100.3')
    for (let i = 0; i < 12; i++) expect((await identity.signIn(email, password, '198.51.100.3')).status).toBe(200)
    for (let i = 0; i < 9; i++) expect((await wrong(email, '198.51.100.3')).status).toBe(401)
  })

  test('does not count an attempt whose password could not be checked', async () => {
    const { email, password } = await newPerson()
    const signIn = async () => (await identity.signIn(email, password, '198.51.100.5')).status
    const busy = jest.spyOn(identity.running.app.get(Passwords), 'matches')
    busy.mockRejectedValue(new DomainError('UNAVAILABLE'))
    for (let i = 0; i < 10; i++) expect(await signIn()).toBe(503)
    busy.mockRestore()
    expect(await signIn()).toBe(200)
  })

  test('is also counted when all attempts are sent at once', async () => {
    const { email } = await newPerson()
    const answers = await Promise.all(Array.from({ length: 20 }, () => wrong(email, '198.51.100.4')))
    expect(answers.filter(answer => answer.status === 401)).toHaveLength(10)
    expect(answers.filter(answer => answer.status === 429)).toHaveLength(10)
  })

  test('is refused after a hundred failures from one address or IPv6 /64 for any accounts', async () => {
    const guess = (nth: number) => wrong(`guess${nth}@example.com`, `2001:db8:5:5::${nth}`)
    await guess(1)
    await countAs('sign-in-address', FAILURES_PER_ADDRESS.attempts - 1)
    expect((await guess(2)).status).toBe(401)
    expect((await guess(3)).status).toBe(429)
  })

  test('from many addresses is refused, but the owner can sign in from an address used before', async () => {
    const { email, password } = await newPerson('203.0.113.200')
    await wrong(email, '203.0.113.1')
    await countAs('sign-in-account', FAILURES_PER_ACCOUNT.attempts - 1)
    expect((await wrong(email, '203.0.113.2')).status).toBe(401)
    expect((await wrong(email, '203.0.113.3')).status).toBe(429)
    expect((await identity.signIn(email, password, '203.0.113.200')).status).toBe(200)
  })

  describe('lets a user sign in with a browser that they have used', () => {
    const DEVICE = 'x-holdfast-device'
    /** Wrong passwords for an account from many networks, until strangers are refused. */
    async function besiege(email: string) {
      await wrong(email, '203.0.113.1')
      await countAs('sign-in-account', FAILURES_PER_ACCOUNT.attempts - 1)
      await wrong(email, '203.0.114.1')
      expect((await wrong(email, '203.0.115.1')).status).toBe(429)
    }

    test('also from a new address', async () => {
      const { email, password } = aRegistration()
      const cookies = cookiesOf(await identity.signUp({ email, password }))
      await besiege(email)
      expect((await identity.signIn(email, password, '198.18.0.1')).status).toBe(429)
      expect((await identity.signIn(email, password, '198.18.0.1', cookies)).status).toBe(200)
    })

    test('but the browser has a limit of its own', async () => {
      const { email, password } = aRegistration()
      const cookies = cookiesOf(await identity.signUp({ email, password }))
      const guess = () => identity.signIn(email, 'wrong horse battery', '198.18.0.2', cookies)
      for (let i = 0; i < FAILURES_PER_DEVICE.attempts; i++) expect((await guess()).status).toBe(401)
      expect((await guess()).status).toBe(429)
      // Its failures do not count for the address.
      expect((await identity.signIn(email, password, '198.18.0.2')).status).toBe(200)
    })

    test('and a browser known for another account, a made-up token, or one of a year ago, counts as a stranger', async () => {
      const { email, password } = aRegistration()
      const signedUp = await identity.signUp({ email, password })
      await besiege(email)
      const others = cookiesOf(await identity.signUp())
      expect((await identity.signIn(email, password, '198.18.0.3', others)).status).toBe(429)
      const madeUp = { [DEVICE]: 'x'.repeat(43) }
      expect((await identity.signIn(email, password, '198.18.0.3', madeUp)).status).toBe(429)
      // So does one that was used more than a year ago.
      await identity.database.admin.query(
        `UPDATE identity.known_devices SET used_at = now() - interval '366 days' WHERE user_id = $1`,
        [signedUp.body.user.id],
      )
      expect((await identity.signIn(email, password, '198.18.0.3', cookiesOf(signedUp))).status).toBe(429)
    })

    test('and knows so many browsers of a user: a further one takes the place of the one that was used longest ago', async () => {
      const { email, password } = aRegistration()
      const { id } = (await identity.signUp({ email, password })).body.user
      await identity.database.admin.query(
        `INSERT INTO identity.known_devices (user_id, token_hash, used_at)
         SELECT $1::uuid, sha256(($1::text || n)::bytea), now() - n * interval '1 day' FROM generate_series(1, $2::int) n`,
        [id, MAX_DEVICES_PER_USER - 1],
      )
      await identity.signIn(email, password, '198.18.0.5')
      const { rows } = await identity.database.admin.query(
        `SELECT count(*)::int, bool_or(token_hash = sha256(($1::text || $2::int)::bytea)) AS "hasOldest"
         FROM identity.known_devices WHERE user_id = $1::uuid`,
        [id, MAX_DEVICES_PER_USER - 1],
      )
      expect(rows).toEqual([{ count: MAX_DEVICES_PER_USER, hasOldest: false }])
    })

    test('and a sign-in keeps the token of a known browser, and replaces one that it does not know', async () => {
      const { email, password } = aRegistration()
      const cookies = cookiesOf(await identity.signUp({ email, password }))
      const again = cookiesOf(await identity.signIn(email, password, '198.18.0.4', cookies))
      expect(again[DEVICE]).toBe(cookies[DEVICE])
      const planted = cookiesOf(await identity.signUp())
      const replaced = cookiesOf(await identity.signIn(email, password, '198.18.0.4', planted))
      expect(replaced[DEVICE]).not.toBe(planted[DEVICE])
    })

    test('and as many of them at once as there are connections do not wait for further ones', async () => {
      const signedUp = await identity.signUp()
      const { id } = signedUp.body.user
      const [devices, source] = [identity.running.app.get(KnownDevicesService), identity.running.app.get(DataSource)]
      let begun = 0
      let begin = () => {}
      const allBegun = new Promise<void>(resolve => {
        begin = resolve
      })
      const remember = () =>
        source.transaction(async dbTx => {
          await dbTx.query('SELECT 1')
          if (++begun === POOL_SIZE) begin()
          await allBegun
          return devices.remember(dbTx, id, cookiesOf(signedUp)[DEVICE]!)
        })
      const tokens = await Promise.all(Array.from({ length: POOL_SIZE }, remember))
      expect(new Set(tokens)).toEqual(new Set([cookiesOf(signedUp)[DEVICE]]))
    })
  })

  test('from all addresses of one network is refused before it locks the account', async () => {
    const { email, password } = await newPerson()
    await wrong(email, '203.0.120.1')
    await countAs('sign-in-network-pair', FAILURES_PER_ACCOUNT_AND_NETWORK.attempts - 1)
    expect((await wrong(email, '203.0.120.2')).status).toBe(401)
    expect((await wrong(email, '203.0.120.3')).status).toBe(429)
    expect((await identity.signIn(email, password, '203.0.121.1')).status).toBe(200)
  })

  test('is refused after many failures from one network for any accounts', async () => {
    await identity.countAs(`sign-in-network:${networkKey('203.0.130.0')}`, FAILURES_PER_NETWORK.attempts - 1)
    const guess = async (nth: number) => (await wrong(`nobody${nth}@example.com`, `203.0.130.${nth}`)).status
    expect([await guess(1), await guess(2)]).toEqual([401, 429])
  })

  /** Raises counters from 1 to a number of failures, without computing as many password hashes. */
  async function countAs(limit: string, attempts: number): Promise<void> {
    await identity.database.admin.query(
      `UPDATE identity.attempts SET points = $2 WHERE key LIKE $1 || ':%' AND points = 1`,
      [limit, attempts],
    )
  }

  async function newPerson(clientIp?: string) {
    const person = aRegistration()
    await identity.signUp(person, clientIp)
    return person
  }
})
