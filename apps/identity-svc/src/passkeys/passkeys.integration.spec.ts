import type { SecondFactorState } from '@holdfast/contracts/second-factor'
import { newId } from '@holdfast/kernel/ids'
import { MAX_PASSKEYS } from '@holdfast/kernel/second-factors'
import { FactorPerson } from '../../test/factor-person.js'
import { RunningIdentity } from '../../test/running-identity.js'
import { type Deviation, SoftAuthenticator } from '../../test/soft-authenticator.js'
import { MAX_STEPS_PER_USER } from '../second-factor/sign-in-steps.js'
import { userHandleOf } from './domain/client-data.js'
import { CHALLENGES_PER_SESSION } from './passkey-challenges.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const REFUSED = { status: 403, body: { code: 'PASSKEY_REFUSED' } }
const someone = () => FactorPerson.signUp(identity)
const stateOf = async (person: FactorPerson) => (await person.call<SecondFactorState>('GET', 'second-factor')).body

/** Signs in with a passkey alone, in a browser without cookies. */
async function signInWith(person: FactorPerson, passkey: SoftAuthenticator, deviation: Deviation = {}) {
  const used = passkey.use(await person.optionsOf('passkey/start'), deviation)
  return person.call('POST', 'passkey', { passkey: used })
}

describe('a passkey', () => {
  test('is added with a name, and the first one comes with recovery codes', async () => {
    const ana = await someone()
    const passkey = new SoftAuthenticator()
    const made = passkey.make(await ana.optionsOf('passkeys/start'))
    const added = await ana.call<{ recoveryCodes: string[] }>('POST', 'passkeys', { name: ' My phone ', passkey: made })
    expect(added).toMatchObject({ status: 201, body: { recoveryCodes: expect.any(Array) } })
    await ana.addPasskey('Security key')
    const { passkeys } = await stateOf(ana)
    expect(passkeys).toMatchObject([{ name: 'My phone', usedAt: null }, { name: 'Security key' }])
    expect(JSON.stringify(passkeys)).not.toContain(passkey.id)
    const mails = await identity.mailsTo(ana.registration.email, 3)
    expect(mails.filter(({ subject }) => subject === 'A passkey was added')).toHaveLength(2)
  })

  test('signs in alone, and the session counts as made with a second factor', async () => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    ana.leaveBrowser()
    expect(await signInWith(ana, passkey)).toMatchObject({
      status: 200,
      body: { user: { email: ana.registration.email } },
    })
    const { sessionId } = (await ana.findActor())!
    const { rows } = await identity.database.admin.query(
      'SELECT second_factor_at FROM identity.sessions WHERE id = $1',
      [sessionId],
    )
    expect(rows).toEqual([{ second_factor_at: expect.any(Date) }])
    expect((await stateOf(ana)).passkeys[0]!.usedAt).not.toBeNull()
  })

  test('is the second step after the password, and after it the password alone opens nothing', async () => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    ana.leaveBrowser()
    expect(await ana.signIn()).toMatchObject({
      ...{ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED', details: { methods: ['passkey', 'recovery_code'] } } },
    })
    const options = await ana.optionsOf('signin/second-step/passkey')
    expect(options).toMatchObject({
      allowCredentials: [{ id: passkey.id }],
      userVerification: 'required',
      rpId: 'localhost',
    })
    expect((await ana.call('POST', 'signin/second-step', { passkey: passkey.use(options) })).status).toBe(200)
  })

  test('confirms who the user is', async () => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    await identity.database.admin.query('UPDATE identity.sessions SET confirmed_at = NULL')
    expect((await ana.call('POST', 'passkeys/start')).status).toBe(403)
    const used = passkey.use(await ana.optionsOf('confirm/passkey'))
    expect((await ana.call('POST', 'confirm', { passkey: used })).status).toBe(204)
    expect((await ana.call('POST', 'passkeys/start')).status).toBe(200)
  })

  test('is removed by its user alone, and then signs in no more', async () => {
    const [ana, ben] = [await someone(), await someone()]
    const passkey = await ana.addPasskey()
    const { id } = (await stateOf(ana)).passkeys[0]!
    expect((await ben.call('DELETE', `passkeys/${id}`)).status).toBe(404)
    expect((await ana.call('DELETE', `passkeys/${id}`)).status).toBe(204)
    expect(await stateOf(ana)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
    ana.leaveBrowser()
    expect(await signInWith(ana, passkey)).toMatchObject(REFUSED)
  })

  test('opens no session of a suspended user, neither alone nor as the second step', async () => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    await identity.database.admin.query('UPDATE identity.users SET suspended_at = now() WHERE email = $1', [
      ana.registration.email,
    ])
    ana.leaveBrowser()
    const suspended = { status: 403, body: { code: 'ACCOUNT_SUSPENDED' } }
    expect(await signInWith(ana, passkey)).toMatchObject(suspended)
    await ana.signIn()
    const used = passkey.use(await ana.optionsOf('signin/second-step/passkey'))
    expect(await ana.call('POST', 'signin/second-step', { passkey: used })).toMatchObject(suspended)
  })

  test('opens no session while the account is being closed', async () => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    await identity.database.admin.query(
      'UPDATE identity.users SET closing_id = $2, closing_at = now() WHERE email = $1',
      [ana.registration.email, newId()],
    )
    ana.leaveBrowser()
    expect(await signInWith(ana, passkey)).toMatchObject(REFUSED)
  })

  test('has a limit of challenges for each session and each sign-in, and a user has a limit of sign-ins that wait', async () => {
    const ana = await someone()
    await ana.addPasskey()
    const statusesOf = async (path: string) => {
      const statuses: number[] = []
      for (let n = 0; n <= CHALLENGES_PER_SESSION.attempts; n++) statuses.push((await ana.call('POST', path)).status)
      return statuses
    }
    const allButOne = [...Array(CHALLENGES_PER_SESSION.attempts).fill(200), 429]
    expect(await statusesOf('confirm/passkey')).toEqual(allButOne)
    ana.leaveBrowser()
    await ana.signIn()
    expect(await statusesOf('signin/second-step/passkey')).toEqual(allButOne)
    // The limit belongs to one sign-in: a thief of the password who uses it up does not keep the owner out.
    ana.leaveBrowser()
    await ana.signIn()
    expect((await ana.call('POST', 'signin/second-step/passkey')).status).toBe(200)
    const { admin } = identity.database
    const steps = `FROM identity.sign_in_step WHERE user_id = (SELECT id FROM identity.users WHERE email = $1)`
    await admin.query(
      `INSERT INTO identity.sign_in_step SELECT sha256(n::text::bytea), user_id, password_version, expires_at - interval '1 minute'
       FROM (SELECT * ${steps} LIMIT 1) step, generate_series(1, $2::int) n`,
      [ana.registration.email, MAX_STEPS_PER_USER],
    )
    ana.leaveBrowser()
    await ana.signIn()
    const { rows } = await admin.query(`SELECT count(*)::int ${steps}`, [ana.registration.email])
    expect(rows).toEqual([{ count: MAX_STEPS_PER_USER }])
    expect((await ana.call('POST', 'signin/second-step/passkey')).status).toBe(200)
  })

  test('is one of twenty at most', async () => {
    const ana = await someone()
    for (let n = 0; n < MAX_PASSKEYS; n++) await ana.addPasskey(`Passkey ${n}`)
    expect((await ana.call('POST', 'passkeys/start')).status).toBe(409)
  })
})

describe('an attack', () => {
  test.each<[string, Deviation]>([
    ['from another site', { origin: 'https://holdfast.example.net' }],
    ['without a check of the owner', { verifiesUser: false }],
    ['with the handle of another user', { userHandle: Buffer.from(userHandleOf(newId())).toString('base64url') }],
    ['with a passkey that nobody has', { id: 'AAAAAAAAAAAAAAAAAAAAAA' }],
  ])('%s signs nobody in', async (_, deviation) => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    ana.leaveBrowser()
    expect(await signInWith(ana, passkey, deviation)).toMatchObject(REFUSED)
    expect(await ana.findActor()).toBeNull()
  })

  test('with another user’s credential id and an own key, or as another user’s second step, is refused', async () => {
    const [ana, ben] = [await someone(), await someone()]
    const [anas, bens] = [await ana.addPasskey(), await ben.addPasskey()]
    ana.leaveBrowser()
    expect(await signInWith(ana, bens, { id: anas.id })).toMatchObject(REFUSED)
    await ana.signIn()
    const used = bens.use(await ana.optionsOf('signin/second-step/passkey'))
    expect(await ana.call('POST', 'signin/second-step', { passkey: used })).toMatchObject(REFUSED)
  })

  test('that registers a credential id which somebody has is refused', async () => {
    const [ana, ben] = [await someone(), await someone()]
    const passkey = await ana.addPasskey()
    const made = passkey.make(await ben.optionsOf('passkeys/start'))
    expect(await ben.call('POST', 'passkeys', { name: 'Stolen', passkey: made })).toMatchObject(REFUSED)
    expect(await stateOf(ben)).toMatchObject({ passkeys: [], recoveryCodesLeft: 0 })
  })

  test('that sends an answer again is refused, also at the same moment', async () => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    ana.leaveBrowser()
    const used = passkey.use(await ana.optionsOf('passkey/start'))
    const send = () => identity.client.request('POST', '/api/auth/passkey', { body: { passkey: used } })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect(await send()).toMatchObject(REFUSED)
  })

  test('with a copy of a passkey is refused when its counter is behind', async () => {
    const ana = await someone()
    const passkey = await ana.addPasskey()
    ana.leaveBrowser()
    expect((await signInWith(ana, passkey, { counter: 7 })).status).toBe(200)
    expect(await signInWith(ana, passkey, { counter: 7 })).toMatchObject(REFUSED)
    expect(await signInWith(ana, passkey, { counter: 6 })).toMatchObject(REFUSED)
    expect((await signInWith(ana, passkey, { counter: 8 })).status).toBe(200)
  })

  test('with a challenge of another purpose, another session, or too old is refused', async () => {
    const [ana, ben] = [await someone(), await someone()]
    const passkey = await ana.addPasskey()
    const forConfirmation = passkey.use(await ana.optionsOf('confirm/passkey'))
    expect(await ana.call('POST', 'passkey', { passkey: forConfirmation })).toMatchObject(REFUSED)
    const signedIn = passkey.use(await ana.optionsOf('passkey/start'))
    expect(await ana.call('POST', 'confirm', { passkey: signedIn })).toMatchObject(REFUSED)
    const bens = new SoftAuthenticator()
    const made = bens.make(await ana.optionsOf('passkeys/start'))
    expect(await ben.call('POST', 'passkeys', { name: 'Mixed up', passkey: made })).toMatchObject(REFUSED)
    const late = passkey.use(await ana.optionsOf('passkey/start'))
    await identity.database.admin.query(
      `UPDATE identity.passkey_challenge SET expires_at = expires_at - interval '5 minutes'`,
    )
    expect(await ana.call('POST', 'passkey', { passkey: late })).toMatchObject(REFUSED)
  })

  test.each([
    ['no object', 'nothing'],
    [
      'no signature',
      { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON: 'AA', authenticatorData: 'AA' } },
    ],
  ])('with %s names the field', async (_, passkey) => {
    const answer = await identity.client.request('POST', '/api/auth/passkey', { body: { passkey } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
  })

  test('with bytes that are no CBOR is refused', async () => {
    const ana = await someone()
    const made = new SoftAuthenticator().make(await ana.optionsOf('passkeys/start'))
    const broken = { ...made, response: { ...made.response, attestationObject: 'AAAA' } }
    expect(await ana.call('POST', 'passkeys', { name: 'Broken', passkey: broken })).toMatchObject(REFUSED)
  })
})
