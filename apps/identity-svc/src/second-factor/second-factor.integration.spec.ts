import { createHash } from 'node:crypto'
import type { SecondFactorState } from '@holdfast/contracts/second-factor'
import { newId } from '@holdfast/kernel/ids'
import { DataSource } from 'typeorm'
import { FactorPerson } from '../../test/factor-person.js'
import { RunningIdentity } from '../../test/running-identity.js'
import {
  WRONG_CODES_PER_ACCOUNT,
  WRONG_CODES_PER_ACCOUNT_AND_ADDRESS,
  WRONG_CODES_PER_DEVICE,
  WRONG_RECOVERY_CODES_PER_ADDRESS,
} from './code-limits.js'
import { FACTOR_CHANGES_PER_USER } from './factor-changes.js'
import { FactorCodes } from './factor-codes.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

const REQUIRED = { status: 403, body: { code: 'SECOND_FACTOR_REQUIRED' } }
const wrongCode = {
  status: 400,
  body: { code: 'VALIDATION_FAILED', details: { fields: { code: expect.any(String) } } },
}
const someone = () => FactorPerson.signUp(identity)
const finish = (person: FactorPerson, code: string) => person.call('POST', 'signin/second-step', { code })
const stateOf = async (person: FactorPerson) => (await person.call<SecondFactorState>('GET', 'second-factor')).body
/** The session was confirmed a while ago. */
const ageSessions = async (person: FactorPerson, minutes = 11) =>
  identity.database.admin.query(
    `UPDATE identity.sessions SET confirmed_at = now() - $2 * interval '1 minute',
       second_factor_at = now() - $2 * interval '1 minute' WHERE user_id = $1`,
    [(await person.findActor())!.id, minutes],
  )
const isTaken = (person: FactorPerson, code: string) => [-1, 0, 1, 2].some(step => person.codeAt(step) === code)
const wrongFor = (person: FactorPerson) => ['111111', '222222'].find(code => !isTaken(person, code))!

describe('an authenticator app', () => {
  test('counts only after its first code, and comes with ten recovery codes', async () => {
    const ana = await someone()
    const { body } = await ana.call<{ secret: string; uri: string }>('POST', 'second-factor/authenticator')
    ana.secret = body.secret
    expect(body.uri).toContain(encodeURIComponent(ana.registration.email))
    expect(await stateOf(ana)).toEqual({ authenticator: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false })
    const wrong = ana.codeAt(0) === '000000' ? '000001' : '000000'
    expect(await ana.call('POST', 'second-factor/authenticator/confirm', { code: wrong })).toMatchObject(wrongCode)
    ana.leaveBrowser()
    expect((await ana.signIn()).status).toBe(200)
    const added = await ana.call<{ recoveryCodes: string[] }>('POST', 'second-factor/authenticator/confirm', {
      code: ana.codeAt(0),
    })
    expect(new Set(added.body.recoveryCodes).size).toBe(10)
    expect(await stateOf(ana)).toMatchObject({ authenticator: { addedAt: expect.any(String) }, recoveryCodesLeft: 10 })
    const mails = await identity.mailsTo(ana.registration.email, 2)
    expect(mails.map(({ subject }) => subject)).toContain('An authenticator app was added')
  })

  test('is not added when its set-up has expired', async () => {
    const ana = await someone()
    ana.secret = (await ana.call<{ secret: string }>('POST', 'second-factor/authenticator')).body.secret
    await identity.database.admin.query(
      "UPDATE identity.authenticator_setup SET expires_at = expires_at - interval '30 minutes' WHERE user_id = $1",
      [(await ana.findActor())!.id],
    )
    const late = await ana.call('POST', 'second-factor/authenticator/confirm', { code: ana.codeAt(0) })
    expect(late).toMatchObject({ status: 410, body: { code: 'GONE' } })
  })

  test('is asked for after the password, and its sign-in opens nothing until then', async () => {
    const ana = await someone()
    await ana.addApp()
    ana.leaveBrowser()
    const first = await ana.signIn()
    expect(first).toMatchObject({ ...REQUIRED, body: { details: { methods: ['authenticator', 'recovery_code'] } } })
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^holdfast_step=[\w-]{43}; Path=\/api\/auth\/; Max-Age=600; HttpOnly; SameSite=Lax$/),
    ])
    const asSession = createHashOf(ana.jar.get('step'))
    const verified = await identity.client.request('POST', '/internal/sessions/verify', {
      body: { hashes: [asSession] },
    })
    expect(verified.body).toEqual([])
    expect(await finish(ana, ana.codeAt(0))).toMatchObject({
      status: 200,
      body: { user: { email: ana.registration.email } },
    })
    expect(await ana.findActor()).toMatchObject({ kind: 'user' })
  })

  test('whose code was used is refused with it again, also at the same moment', async () => {
    const ana = await someone()
    await ana.addApp()
    const code = ana.codeAt(0)
    const browsers = await Promise.all(
      [1, 2, 3, 4].map(async n => {
        const browser = Object.assign(Object.create(Object.getPrototypeOf(ana)), ana) as FactorPerson
        browser.leaveBrowser(`192.0.2.${n}`)
        await browser.signIn()
        return browser
      }),
    )
    const answers = await Promise.all(browsers.map(browser => finish(browser, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400])
    const late = browsers.find((_, i) => answers[i]!.status === 400)!
    expect(await finish(late, code)).toMatchObject(wrongCode)
    // A code of an earlier step does not count after a later one.
    expect(await finish(late, ana.codeAt(-1))).toMatchObject(wrongCode)
    expect((await finish(late, ana.codeAt(1))).status).toBe(200)
  })

  test('is checked by the time of the database, whatever the clock of the process says', async () => {
    const ana = await someone()
    await ana.addApp()
    const { id } = (await ana.findActor())!
    const [codes, { manager }] = [identity.running.app.get(FactorCodes), identity.running.app.get(DataSource)]
    const [right, wrong] = [ana.codeAt(1), ana.codeAt(120)]
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    try {
      await expect(codes.use(manager, id, wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
      await codes.use(manager, id, right)
    } finally {
      clock.mockRestore()
    }
  })

  test('can be replaced by another one: codes of the old one end', async () => {
    const ana = await someone()
    await ana.addApp()
    const old = ana.codeAt(1)
    const again = await ana.call<{ secret: string }>('POST', 'second-factor/authenticator')
    ana.secret = again.body.secret
    const replaced = await ana.call('POST', 'second-factor/authenticator/confirm', { code: ana.codeAt(0) })
    expect(replaced).toMatchObject({ status: 200, body: { recoveryCodes: null } })
    ana.leaveBrowser()
    await ana.signIn()
    expect(await finish(ana, old)).toMatchObject(wrongCode)
    expect((await finish(ana, ana.codeAt(1))).status).toBe(200)
  })

  test('is stored encrypted, and for its user alone', async () => {
    const [ana, ben] = [await someone(), await someone()]
    await ana.addApp()
    await ben.addApp()
    const [a, b] = [(await ana.findActor())!.id, (await ben.findActor())!.id]
    await identity.database.admin.query(
      `UPDATE identity.authenticator mine SET (sealed, key_id, wrapped_key) = (other.sealed, other.key_id, other.wrapped_key)
       FROM identity.authenticator other WHERE mine.user_id = $1 AND other.user_id = $2`,
      [a, b],
    )
    ana.leaveBrowser()
    await ana.signIn()
    expect((await finish(ana, ben.codeAt(1))).status).toBe(500)
  })
})

describe('the second step', () => {
  test('needs the browser of the first, and is gone when it was done, after ten minutes, and after a new password', async () => {
    const ana = await someone()
    await ana.addApp()
    const gone = { status: 410, body: { code: 'GONE' } }
    ana.leaveBrowser()
    await ana.signIn()
    const step = ana.jar
    ana.leaveBrowser()
    expect(await finish(ana, ana.codeAt(0))).toMatchObject(gone)
    ana.jar = step
    await identity.database.admin.query(
      `UPDATE identity.sign_in_step SET expires_at = expires_at - interval '10 minutes' WHERE user_id =
         (SELECT id FROM identity.users WHERE email = $1)`,
      [ana.registration.email],
    )
    expect(await finish(ana, ana.codeAt(0))).toMatchObject(gone)
    await ana.signIn()
    await identity.database.admin.query(
      'UPDATE identity.users SET password_version = password_version + 1 WHERE email = $1',
      [ana.registration.email],
    )
    expect(await finish(ana, ana.codeAt(0))).toMatchObject(gone)
    await ana.signIn()
    expect((await finish(ana, ana.codeAt(0))).status).toBe(200)
    expect(await finish(ana, ana.codeAt(1))).toMatchObject(gone)
  })

  test('takes each recovery code once, and says so by mail', async () => {
    const ana = await someone()
    const [code] = await ana.addApp()
    ana.leaveBrowser()
    await ana.signIn()
    expect((await finish(ana, code!.toLowerCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await stateOf(ana)).recoveryCodesLeft).toBe(9)
    ana.leaveBrowser()
    await ana.signIn()
    expect(await finish(ana, code!)).toMatchObject(wrongCode)
    const mails = await identity.mailsTo(ana.registration.email, 3)
    expect(mails.map(({ subject }) => subject)).toContain('A recovery code was used')
  })

  test('is asked for after a new password, too, which ends the sign-ins that have begun', async () => {
    const ana = await someone()
    const { email } = ana.registration
    await identity.confirmAddress((await ana.findActor())!.id)
    await ana.addApp()
    ana.leaveBrowser()
    await ana.signIn()
    await ana.call('POST', 'reset', { email })
    const mails = await identity.mailsTo(email, 2)
    const { text } = mails.find(({ subject }) => subject === 'Set a new password')!
    const password = 'a lantern in the window'
    const token = /#([\w-]{43})/.exec(text)![1]
    expect((await ana.call('POST', 'reset/confirm', { token, password })).status).toBe(204)
    expect(await finish(ana, ana.codeAt(1))).toMatchObject({ status: 410, body: { code: 'GONE' } })
    expect(await ana.signIn(password)).toMatchObject(REQUIRED)
    expect((await finish(ana, ana.codeAt(1))).status).toBe(200)
  })

  test('names the field when neither or both are given', async () => {
    const ana = await someone()
    expect(await ana.call('POST', 'signin/second-step', {})).toMatchObject({ ...wrongCode })
  })

  test('limits wrong codes per address and per account, says how long, and leaves other ways open', async () => {
    const ana = await someone()
    const [recoveryCode] = await ana.addApp()
    const known = ana.jar
    const wrong = wrongFor(ana)
    const guess = async (clientIp: string) => {
      ana.leaveBrowser(clientIp)
      await ana.signIn()
      const statuses: number[] = []
      for (let n = 0; n <= WRONG_CODES_PER_ACCOUNT_AND_ADDRESS.attempts; n++) {
        const answer = await finish(ana, wrong)
        statuses.push(answer.status)
        if (answer.status === 429) {
          expect(answer.body).toMatchObject({
            code: 'RATE_LIMITED',
            details: { retryAfterSeconds: expect.any(Number) },
          })
          expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(WRONG_CODES_PER_ACCOUNT.seconds)
        }
      }
      return statuses
    }
    expect(await guess('198.51.100.1')).toEqual([400, 400, 400, 400, 400, 429])
    await guess('198.51.101.1')
    await guess('198.51.102.1')
    expect(await guess('198.51.103.1')).toEqual([429, 429, 429, 429, 429, 429])
    // The right code is refused, too, from a strange browser.
    expect((await finish(ana, ana.codeAt(0))).status).toBe(429)
    // The owner's own browser, and a recovery code, are not locked.
    ana.jar = known
    await ana.signIn()
    expect((await finish(ana, ana.codeAt(0))).status).toBe(200)
    ana.leaveBrowser('198.51.104.1')
    await ana.signIn()
    expect((await finish(ana, recoveryCode!)).status).toBe(200)
    const warnings = (await identity.mailsTo(ana.registration.email, 4)).filter(
      ({ subject }) => subject === 'Wrong codes were entered for your account',
    )
    expect(warnings).toHaveLength(1)
    // A code can also be entered in a browser that is signed in, so the mail does not say that the password is known.
    expect(warnings[0]!.text).not.toContain('know your password')
  })

  test('limits wrong codes of a known browser, too, and wrong recovery codes of one address', async () => {
    const ana = await someone()
    await ana.addApp()
    await ana.signIn()
    for (let n = 0; n < WRONG_CODES_PER_DEVICE.attempts; n++)
      expect((await finish(ana, wrongFor(ana))).status).toBe(400)
    expect((await finish(ana, wrongFor(ana))).status).toBe(429)
    ana.leaveBrowser('198.51.107.1')
    await ana.signIn()
    await identity.countAs('recovery-code-address:198.51.107.1', WRONG_RECOVERY_CODES_PER_ADDRESS.attempts - 1)
    const guess = async () => (await finish(ana, 'AAAA-AAAA-AAAA-AAAA')).status
    expect([await guess(), await guess()]).toEqual([400, 429])
  })

  test('does not count a right code as a wrong one', async () => {
    const ana = await someone()
    await ana.addApp()
    await identity.countAs(`code-account:${(await ana.findActor())!.id}`, WRONG_CODES_PER_ACCOUNT.attempts - 1)
    ana.leaveBrowser('198.51.108.1')
    await ana.signIn()
    expect((await finish(ana, ana.codeAt(0))).status).toBe(200)
    ana.leaveBrowser('198.51.109.1')
    await ana.signIn()
    const guess = async () => (await finish(ana, wrongFor(ana))).status
    expect([await guess(), await guess()]).toEqual([400, 429])
  })
})

describe('changing the factors', () => {
  test('ends every other session with the first one, and none with a further one', async () => {
    const ana = await someone()
    const old = ana.jar
    ana.leaveBrowser('192.0.2.9')
    await ana.signIn()
    const before = ana.jar.get('session')
    await ana.addApp()
    expect(ana.jar.get('session')).not.toBe(before)
    expect(await ana.findActor()).not.toBeNull()
    const own = ana.jar
    ana.jar = old
    expect(await ana.findActor()).toBeNull()
    await ana.signIn()
    await finish(ana, ana.codeAt(1))
    await ana.addPasskey()
    ana.jar = own
    expect(await ana.findActor()).not.toBeNull()
  })

  test('forgets every other browser with the first one: guesses from them are limited as those of strangers', async () => {
    const ana = await someone()
    ana.leaveBrowser('192.0.2.10')
    await ana.signIn()
    await ana.addApp()
    const { id } = (await ana.findActor())!
    const { rows } = await identity.database.admin.query(
      `SELECT encode(token_hash, 'hex') AS hash FROM identity.known_devices WHERE user_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ hash: createHashOf(ana.jar.get('device')) }])
  })

  test('needs a fresh sign-in or a code again, and who has a second factor cannot confirm with the password alone', async () => {
    const ana = await someone()
    const [recoveryCode] = await ana.addApp()
    await ageSessions(ana, 9)
    expect((await ana.call('POST', 'passkeys/start')).status).toBe(200)
    await ageSessions(ana)
    const refused = {
      ...{ status: 403 },
      body: { code: 'CONFIRMATION_REQUIRED', details: { methods: ['authenticator', 'recovery_code'] } },
    }
    for (const [method, path, body] of [
      ['POST', 'second-factor/authenticator'],
      ['POST', 'second-factor/authenticator/confirm', { code: ana.codeAt(1) }],
      ['DELETE', 'second-factor/authenticator'],
      ['POST', 'second-factor/recovery-codes'],
      ['POST', 'passkeys/start'],
    ] as const)
      expect(await ana.call(method, path, body)).toMatchObject(refused)
    expect(await ana.call('POST', 'confirm', { password: ana.registration.password })).toMatchObject({
      ...{ status: 400, body: { details: { fields: { password: expect.stringContaining('second factor') } } } },
    })
    expect(await ana.call('POST', 'confirm', { code: '12' })).toMatchObject(wrongCode)
    expect((await ana.call('DELETE', 'second-factor/authenticator')).status).toBe(403)
    expect((await ana.call('POST', 'confirm', { code: ana.codeAt(1) })).status).toBe(204)
    const renewed = await ana.call<{ recoveryCodes: string[] }>('POST', 'second-factor/recovery-codes')
    expect(renewed.status).toBe(200)
    await ageSessions(ana)
    const unused = (await ana.call<{ recoveryCodes: string[] }>('POST', 'second-factor/recovery-codes')).status
    expect([unused, (await ana.call('POST', 'confirm', { code: recoveryCode })).status]).toEqual([403, 400])
    expect((await ana.call('POST', 'confirm', { code: renewed.body.recoveryCodes[0] })).status).toBe(204)
    expect((await ana.call('DELETE', 'second-factor/authenticator')).status).toBe(204)
  })

  test('replaces all recovery codes by new ones', async () => {
    const ana = await someone()
    const [old] = await ana.addApp()
    const { body } = await ana.call<{ recoveryCodes: string[] }>('POST', 'second-factor/recovery-codes')
    expect(body.recoveryCodes).toHaveLength(10)
    const mails = await identity.mailsTo(ana.registration.email, 3)
    expect(mails.map(({ subject }) => subject)).toContain('New recovery codes were made')
    ana.leaveBrowser()
    await ana.signIn()
    expect(await finish(ana, old!)).toMatchObject(wrongCode)
    expect((await finish(ana, body.recoveryCodes[9]!)).status).toBe(200)
  })

  test('removes the recovery codes with the last factor, and then the password is enough', async () => {
    const ana = await someone()
    const [recoveryCode] = await ana.addApp()
    const own = ana.jar
    ana.leaveBrowser()
    await ana.signIn()
    const begun = ana.jar
    ana.jar = own
    const { id } = (await ana.findActor())!
    const withFactor = async () =>
      (
        await identity.database.admin.query(
          'SELECT FROM identity.sessions WHERE user_id = $1 AND second_factor_at IS NOT NULL',
          [id],
        )
      ).rowCount
    expect(await withFactor()).toBe(1)
    expect((await ana.call('DELETE', 'second-factor/authenticator')).status).toBe(204)
    expect(await withFactor()).toBe(0)
    // A sign-in that waits for its second step ends, too.
    ana.jar = begun
    expect(await finish(ana, recoveryCode!)).toMatchObject({ status: 410, body: { code: 'GONE' } })
    ana.jar = own
    const mails = await identity.mailsTo(ana.registration.email, 3)
    expect(mails.map(({ subject }) => subject)).toContain('Your authenticator app was removed')
    expect((await ana.call('DELETE', 'second-factor/authenticator')).status).toBe(404)
    expect((await ana.call('POST', 'second-factor/recovery-codes')).status).toBe(404)
    expect(await stateOf(ana)).toMatchObject({ authenticator: null, recoveryCodesLeft: 0 })
    ana.leaveBrowser()
    expect((await ana.signIn()).status).toBe(200)
  })

  test('is limited, so that an address that may be another person’s gets few mails', async () => {
    const ana = await someone()
    await ana.addPasskey()
    const statuses = []
    for (let n = 0; n < FACTOR_CHANGES_PER_USER.attempts; n++)
      statuses.push((await ana.call('POST', 'second-factor/recovery-codes')).status)
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set([200]))
    expect(statuses.at(-1)).toBe(429)
    expect((await ana.call('DELETE', `passkeys/${newId()}`)).status).toBe(429)
  })

  test('is not possible without a session', async () => {
    const ana = await someone()
    ana.leaveBrowser()
    expect((await ana.call('POST', 'second-factor/authenticator')).status).toBe(401)
  })
})

function createHashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
