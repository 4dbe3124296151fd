import { pages } from '@holdfast/contracts/pages'
import type { CurrentUser } from '@holdfast/contracts/users'
import { newId } from '@holdfast/kernel/ids'
import { eventually } from '@holdfast/testing/eventually'
import { QueryFailedError } from 'typeorm'
import { type Claims, LocalProvider } from '../../test/local-provider.js'
import { aRegistration, RunningIdentity, tokenOf } from '../../test/running-identity.js'
import { SignUpService } from '../credentials/sign-up.service.js'

let identity: RunningIdentity
let provider: LocalProvider
let microsoft: LocalProvider
beforeAll(async () => {
  const returnUrl = `http://localhost:3000${pages.providerSignIn.path}`
  provider = await LocalProvider.open(returnUrl)
  microsoft = await LocalProvider.open(returnUrl)
  const OIDC_PROVIDERS = JSON.stringify([
    { id: 'google', ...provider.settings },
    { id: 'apple', ...provider.appleSettings },
    { id: 'microsoft', ...microsoft.settings },
  ])
  identity = await RunningIdentity.start({ OIDC_PROVIDERS })
})
afterAll(async () => {
  await identity.stop()
  await provider.close()
  await microsoft.close()
})

interface Begun {
  readonly url: string
  readonly secret: string
}
const begin = async (at = 'google') =>
  (await identity.client.request<Begun>('POST', `/api/auth/oidc/${at}`, { body: {} })).body
const finish = (body: { secret: string; answer: string }) =>
  identity.client.request<{ user: CurrentUser }>('POST', '/api/auth/oidc', { body, clientIp: '192.0.2.77' })

const NAMES = { given_name: 'Zoë', family_name: 'Okafor' }

/** A person with an account at the provider, as Google describes a member of an organization. */
function aPerson(claims: Claims = {}): string {
  const subject = newId()
  const email = `${subject}@example.com`
  provider.know(subject, { email, email_verified: true, hd: 'example.com', ...NAMES, ...claims })
  return subject
}

/** Google verified this person's address once, and is not authoritative for it. */
function withForeignAddress(email = `${newId()}@example.com`): string {
  const subject = newId()
  provider.know(subject, { email, email_verified: true, ...NAMES })
  return subject
}

/** What the browser of a person sends when the provider has led back. */
async function answerOf(subject: string) {
  const { url, secret } = await begin()
  return { secret, answer: await provider.answerTo(url, subject) }
}
const signIn = async (subject: string) => finish(await answerOf(subject))

describe('a person with an account at Apple', () => {
  test('signs in by the form that Apple posts, with the name that stands only there, and a secret that we sign', async () => {
    const subject = aPerson({ given_name: undefined, family_name: undefined } as never)
    const { url, secret } = await begin('apple')
    const wanted = new URL(url).searchParams
    expect([wanted.get('scope'), wanted.get('response_mode')]).toEqual(['openid email name', 'form_post'])
    const form = new URLSearchParams(await provider.answerTo(url, subject))
    form.set('user', JSON.stringify({ name: { firstName: 'Amara', lastName: 'Obi' }, email: 'other@example.com' }))
    const { status, body } = await finish({ secret, answer: `?${form}` })
    expect(status).toBe(200)
    const email = `${subject}@example.com`
    expect(body.user).toMatchObject({ firstName: 'Amara', lastName: 'Obi', email, emailConfirmed: false })
  })
})

describe('a person with an account at Microsoft', () => {
  test('cannot begin while it does not answer, and signs in later; Microsoft sends no `email_verified`', async () => {
    const start = () => identity.client.request('POST', '/api/auth/oidc/microsoft', { body: {} })
    expect(await microsoft.whileAway(start)).toMatchObject({
      ...{ status: 503, body: { code: 'SIGN_IN_PROVIDER_UNAVAILABLE' } },
    })
    const signIn = async (claims: Claims) => {
      const subject = newId()
      microsoft.know(subject, { email: `${subject}@example.com`, tid: newId(), ...NAMES, ...claims })
      const { url, secret } = await begin('microsoft')
      return finish({ secret, answer: await microsoft.answerTo(url, subject) })
    }
    expect(await signIn({ xms_edov: true })).toMatchObject({ status: 200, body: { user: { emailConfirmed: true } } })
    const refused = { status: 403, body: { code: 'SIGN_IN_EMAIL_UNVERIFIED' } }
    expect(await signIn({})).toMatchObject(refused)
    expect(await signIn({ xms_edov: false })).toMatchObject(refused)
  })
})

describe('a new person', () => {
  test('gets an account with a confirmed address, and signs in to it again, also after the address changed there', async () => {
    const subject = aPerson()
    const first = await signIn(subject)
    expect(first).toMatchObject({
      status: 200,
      body: { user: { firstName: 'Zoë', lastName: 'Okafor', emailConfirmed: true, email: `${subject}@example.com` } },
    })
    expect(first.body.user.username).toMatch(/^zoe\.okafor\d*$/)
    expect(tokenOf(first)).toHaveLength(43)
    provider.know(subject, { email: 'another@example.com', email_verified: false })
    const second = await signIn(subject)
    expect(second.body.user).toEqual(first.body.user)
    expect(tokenOf(second)).not.toBe(tokenOf(first))
  })

  test('gets another username when theirs is taken, and a name when the provider gives none that is allowed', async () => {
    const [one, other] = [await signIn(aPerson()), await signIn(aPerson())]
    expect(other.body.user.username).toMatch(/^zoe\.okafor\d+$/)
    expect(other.body.user.username).not.toBe(one.body.user.username)
    const { body } = await signIn(aPerson({ given_name: 'Holdfast', family_name: 'Support' }))
    expect(body.user).toMatchObject({ firstName: 'New', lastName: 'Member' })
  })

  test('gets another username when a closed account had theirs, also when it was closed at the same moment', async () => {
    await identity.database.admin.query(
      `INSERT INTO identity.given_up_username (name_hash) VALUES (identity.username_hash('lena.fox'))`,
    )
    const lena = { given_name: 'Lena', family_name: 'Fox' }
    const first = await signIn(aPerson(lena))
    expect([first.status, first.body.user?.username]).toEqual([200, expect.stringMatching(/^lena\.fox\d+$/)])
    const refusal = Object.assign(new Error('given up'), { code: '23505', constraint: 'given_up_username' })
    const givenUp = new QueryFailedError('', [], refusal)
    const signUps = identity.running.app.get(SignUpService)
    jest.spyOn(signUps, 'open').mockRejectedValueOnce(givenUp)
    expect((await signIn(aPerson(lena))).status).toBe(200)
  })

  test('shows their second factor after the provider, as after a password', async () => {
    const subject = aPerson()
    const { user } = (await signIn(subject)).body
    await identity.database.admin.query(
      `INSERT INTO identity.passkey (id, user_id, credential_id, public_key, counter, transports, name, is_backed_up)
       VALUES ($1, $2, $3, '', 0, '{}', 'A key', false)`,
      [newId(), user.id, newId()],
    )
    const answer = await signIn(subject)
    expect(answer).toMatchObject({
      ...{ status: 403, body: { code: 'SECOND_FACTOR_REQUIRED', details: { methods: ['passkey'] } } },
    })
    expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^holdfast_step=/)])
  })

  test('who signs in twice at the same moment gets one account', async () => {
    const subject = aPerson()
    const answers = [await answerOf(subject), await answerOf(subject)]
    const [one, other] = await Promise.all(answers.map(finish))
    expect([one?.status, other?.status]).toEqual([200, 200])
    expect(one?.body.user.id).toBe(other?.body.user.id)
  })
})

describe('a person who has an account here', () => {
  const account = async () => {
    const registration = aRegistration()
    const { user } = (await identity.signUp(registration)).body
    return { ...registration, id: user.id }
  }

  test('signs in to it when both sides have verified the address, whatever its case, and keeps the password', async () => {
    const { id, email, password } = await account()
    await identity.confirmAddress(id)
    const { body } = await signIn(aPerson({ email: email.toUpperCase() }))
    expect(body.user.id).toBe(id)
    expect((await identity.signIn(email, password)).status).toBe(200)
    const mail = await eventually(async () =>
      (await identity.mailsTo(email)).find(({ subject }) => /Google/.test(subject)),
    )
    expect(mail.subject).toBe('You can sign in with Google')
  })

  test('is refused while the address is not confirmed here: somebody else may have opened the account', async () => {
    const { email } = await account()
    expect(await signIn(aPerson({ email }))).toMatchObject({ status: 409, body: { code: 'SIGN_IN_EMAIL_IN_USE' } })
  })

  test('is refused when Google only verified the address once: the mailbox may have another owner now', async () => {
    const { id, email } = await account()
    await identity.confirmAddress(id)
    const subject = withForeignAddress(email)
    for (let attempt = 0; attempt < 2; attempt++)
      expect(await signIn(subject)).toMatchObject({ status: 409, body: { code: 'SIGN_IN_EMAIL_IN_USE' } })
  })
})

describe('a new person whose address Google only verified once', () => {
  test('gets an account whose address is not confirmed, and a mail to confirm it', async () => {
    const subject = withForeignAddress()
    const { status, body } = await signIn(subject)
    expect([status, body.user.emailConfirmed]).toEqual([200, false])
    expect((await identity.mailsTo(body.user.email))[0]!.subject).toBe('Confirm your e-mail address')
    expect((await signIn(subject)).body.user.id).toBe(body.user.id)
  })

  test('can no longer sign in there after the owner of the mailbox has set a new password', async () => {
    const subject = withForeignAddress()
    const { email } = (await signIn(subject)).body.user
    const post = (path: string, body: object) => identity.client.request('POST', path, { body })
    await post('/api/auth/reset', { email })
    const { text } = (await identity.mailsTo(email, 2)).find(mail => mail.subject === 'Set a new password')!
    const password = 'a horse of the owner'
    expect((await post('/api/auth/reset/confirm', { token: /#(\S+)/.exec(text)![1], password })).status).toBe(204)
    expect((await identity.signIn(email, password)).body.user.emailConfirmed).toBe(true)
    expect(await signIn(subject)).toMatchObject({ status: 409, body: { code: 'SIGN_IN_EMAIL_IN_USE' } })
  })

  test('gets no session when the account is taken over while they sign in', async () => {
    const subject = withForeignAddress()
    const { id } = (await signIn(subject)).body.user
    const answer = await answerOf(subject)
    const owner = await identity.database.admin.connect()
    await owner.query('BEGIN')
    await owner.query('SELECT FROM identity.users WHERE id = $1 FOR UPDATE', [id])
    const signedIn = finish(answer)
    await eventually(async () => {
      const { rows } = await identity.database.admin.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
    await owner.query('DELETE FROM identity.provider_account WHERE user_id = $1', [id])
    await owner.query('UPDATE identity.users SET email_confirmed_at = now() WHERE id = $1', [id])
    await owner.query('COMMIT')
    owner.release()
    expect(await signedIn).toMatchObject({ status: 409, body: { code: 'SIGN_IN_EMAIL_IN_USE' } })
  })
})

describe('a sign-in is refused', () => {
  test('when the account here is suspended, until that has ended', async () => {
    const subject = aPerson()
    const { id } = (await signIn(subject)).body.user
    const suspended = (since: string) =>
      identity.database.admin.query(`UPDATE identity.users SET suspended_at = ${since} WHERE id = $1`, [id])
    await suspended('now()')
    expect(await signIn(subject)).toMatchObject({ status: 403, body: { code: 'ACCOUNT_SUSPENDED' } })
    await suspended('NULL')
    expect(await signIn(subject)).toMatchObject({ status: 200 })
  })

  test('when the provider has not verified the address, or gives none', async () => {
    const refused = { status: 403, body: { code: 'SIGN_IN_EMAIL_UNVERIFIED' } }
    expect(await signIn(aPerson({ email_verified: false }))).toMatchObject(refused)
    const nameless = newId()
    provider.know(nameless, {})
    expect(await signIn(nameless)).toMatchObject(refused)
  })

  test('when the person took too long at the provider', async () => {
    const late = await answerOf(aPerson())
    await identity.database.admin.query(
      `UPDATE identity.provider_sign_in SET expires_at = expires_at - interval '15 minutes'`,
    )
    expect(await finish(late)).toMatchObject({ status: 410, body: { code: 'GONE' } })
  })

  test('in another browser, and when it was finished already; in its own browser it goes on', async () => {
    const own = await answerOf(aPerson())
    const { secret } = await begin()
    expect(await finish({ ...own, secret })).toMatchObject({ status: 410, body: { code: 'GONE' } })
    expect((await finish(own)).status).toBe(200)
    expect(await finish(own)).toMatchObject({ status: 410, body: { code: 'GONE' } })
  })

  test('with the code of another sign-in, and when the person declines', async () => {
    const [own, stolen] = [await answerOf(aPerson()), await answerOf(aPerson())]
    const mixed = new URLSearchParams(own.answer)
    mixed.set('code', new URLSearchParams(stolen.answer).get('code')!)
    const refused = { status: 403, body: { code: 'SIGN_IN_NOT_COMPLETED' } }
    expect(await finish({ secret: own.secret, answer: `?${mixed}` })).toMatchObject(refused)
    const { url, secret } = await begin()
    const state = new URL(url).searchParams.get('state')
    expect(await finish({ secret, answer: `?error=access_denied&state=${state}` })).toMatchObject(refused)
    expect(await finish({ secret, answer: '?code=1' })).toMatchObject(refused)
  })

  test('when the provider goes away meanwhile; another try signs in', async () => {
    const subject = aPerson()
    const answer = await answerOf(subject)
    expect(await provider.whileAway(() => finish(answer))).toMatchObject({
      status: 503,
      body: { code: 'SIGN_IN_PROVIDER_UNAVAILABLE' },
    })
    expect((await signIn(subject)).status).toBe(200)
  })
})
