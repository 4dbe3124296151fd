import type { UserActor } from '@holdfast/service-kit/auth/actor'
import { eventually } from '@holdfast/testing/eventually'
import { userActor } from '@holdfast/testing/signed-client'
import { aRegistration, RunningIdentity } from '../../test/running-identity.js'

const NEW_PASSWORD = 'quite another long sentence'
let addresses = 0
const anAddress = () => `198.51.100.${++addresses}`

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start()
})
afterAll(() => identity.stop())

async function aPerson() {
  const body = aRegistration()
  const { id } = (await identity.signUp(body, anAddress())).body.user
  const { rows } = await identity.database.admin.query('SELECT id FROM identity.sessions WHERE user_id = $1', [id])
  return { ...body, id, actor: { ...userActor(id), sessionId: rows[0].id as string } }
}
type Person = Awaited<ReturnType<typeof aPerson>>

const post = (path: string, body: object, actor: UserActor | null = null) =>
  identity.client.request('POST', path, { body, clientIp: anAddress(), actor })
const tokenIn = (text: string) => /#([\w-]{43})/.exec(text)![1]!
const mailAbout = (subject: string, email: string) =>
  eventually(async () => (await identity.mailsTo(email)).find(mail => mail.subject === subject))
const linkAbout = async (subject: string, email: string) => tokenIn((await mailAbout(subject, email)).text)
const CONFIRM_NEW = 'Confirm your new e-mail address'

const askForAddress = ({ actor, firstName, lastName, username, password }: Person, email: string) =>
  identity.client.request('PUT', '/api/profile', {
    actor,
    body: { firstName, lastName, username, phoneNumber: null, email, currentPassword: password },
    clientIp: anAddress(),
  })
const changePassword = ({ actor, password }: Person) =>
  identity.client.request('POST', '/api/auth/password', {
    actor,
    body: { currentPassword: password, newPassword: NEW_PASSWORD },
    clientIp: anAddress(),
  })
async function reset({ email }: Person) {
  await post('/api/auth/reset', { email })
  const token = await linkAbout('Set a new password', email)
  expect((await post('/api/auth/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(204)
}
const emailOf = async ({ id }: Person) =>
  (await identity.database.admin.query('SELECT email FROM identity.users WHERE id = $1', [id])).rows[0].email

/** Lets a request check the password, and changes the password before the request commits. */
async function whileThePasswordChanges<T>({ id }: Person, request: () => Promise<T>): Promise<T> {
  const client = await identity.database.admin.connect()
  try {
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM identity.users WHERE id = $1 FOR UPDATE', [id])
    const answer = request()
    const waits = eventually(async () => {
      // Tests of other files use the same server.
      const { rows } = await identity.database.admin.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return rows.length > 0
    })
    await Promise.race([answer, waits])
    await client.query(
      'UPDATE identity.users SET password_hash = $2, password_version = password_version + 1 WHERE id = $1',
      [id, 'another'],
    )
    await client.query('COMMIT')
    return await answer
  } finally {
    client.release()
  }
}

describe('who knew the old password', () => {
  test.each(['reset', 'change'])(
    'does not get the account by a link to another address after a %s of the password, whether its mail was sent or waits',
    async way => {
      const person = await aPerson()
      const [sent, waiting] = [`sent.${person.email}`, `waiting.${person.email}`]
      await askForAddress(person, sent)
      const token = await linkAbout(CONFIRM_NEW, sent)
      const hold = (until: string) =>
        identity.database.admin.query(`UPDATE identity.mail SET due_at = ${until} WHERE recipient = $1`, [waiting])
      // The mail server is away for a while.
      await identity.database.admin.query(
        `ALTER TABLE identity.mail ALTER COLUMN due_at SET DEFAULT now() + interval '1 hour'`,
      )
      await askForAddress(person, waiting)
      await identity.database.admin.query('ALTER TABLE identity.mail ALTER COLUMN due_at SET DEFAULT now()')
      if (way === 'reset') await reset(person)
      else expect((await changePassword(person)).status).toBe(204)
      await hold('now()')
      await eventually(async () => {
        await identity.sweepMails()
        const { rows } = await identity.database.admin.query('SELECT outcome FROM identity.mail WHERE recipient = $1', [
          waiting,
        ])
        return rows[0].outcome !== null
      })
      expect(identity.mails.filter(({ recipients }) => recipients.includes(waiting))).toEqual([])
      expect((await post('/api/auth/verify-email', { token })).status).toBe(410)
      expect(await emailOf(person)).toBe(person.email)
    },
  )

  test('opens no session when the password changes during the sign-in', async () => {
    const person = await aPerson()
    const signIn = () => identity.signIn(person.email, person.password, anAddress())
    expect(await whileThePasswordChanges(person, signIn)).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CREDENTIALS' },
    })
  })

  test('does not set another password when it changes meanwhile', async () => {
    const person = await aPerson()
    expect(await whileThePasswordChanges(person, () => changePassword(person))).toMatchObject({
      status: 400,
      body: { details: { fields: { currentPassword: 'This is not your password' } } },
    })
  })

  test('asks for no other address when the password changes meanwhile', async () => {
    const person = await aPerson()
    const ask = () => askForAddress(person, `new.${person.email}`)
    expect(await whileThePasswordChanges(person, ask)).toMatchObject({
      status: 400,
      body: { details: { fields: { currentPassword: 'This is not your password' } } },
    })
  })
})

describe('links of one user at the same moment', () => {
  test('of one kind: one is used and the others are gone', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await aPerson()
      for (let n = 0; n < 3; n++)
        await identity.client.request('POST', '/api/auth/verify-email/send', { actor: person.actor })
      const mails = await identity.mailsTo(person.email, 4)
      const answers = await Promise.all(
        mails.map(({ text }) => post('/api/auth/verify-email', { token: tokenIn(text) }, person.actor)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 410, 410, 410])
    }
  })

  test('of different kinds: the first that is used ends the others', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await aPerson()
      const email = `new.${person.email}`
      await askForAddress(person, email)
      await post('/api/auth/reset', { email: person.email })
      const [token, resetToken] = [
        await linkAbout(CONFIRM_NEW, email),
        await linkAbout('Set a new password', person.email),
      ]
      const answers = await Promise.all([
        post('/api/auth/reset/confirm', { token: resetToken, password: NEW_PASSWORD }),
        // The new password is hashed first, which takes about as long as this.
        identity
          .signIn(person.email, 'not this one', anAddress())
          .then(() => post('/api/auth/verify-email', { token }, person.actor)),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 410])
    }
  })
})
