import type { KeptAct } from '@holdfast/contracts/admin'
import type { SecondFactorState } from '@holdfast/contracts/second-factor'
import pg from 'pg'
import { FactorPerson } from '../../test/factor-person.js'
import { RunningIdentity } from '../../test/running-identity.js'
import { makeAdmin } from '../users/make-admin.js'
import { removeSecondFactors } from '../users/remove-second-factors.js'

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start({ ADMIN_SECOND_FACTOR: 'required' })
})
afterAll(() => identity.stop())

const REASON = 'They lost their phone and the codes'
const run = async (command: typeof makeAdmin, email: string) => {
  const client = new pg.Client(identity.database.url('identity_svc'))
  await client.connect()
  try {
    return await command(client, { email, commandLineUser: 'ops', reason: REASON })
  } finally {
    await client.end()
  }
}
async function anAdmin(): Promise<FactorPerson> {
  const person = await FactorPerson.signUp(identity)
  await run(makeAdmin, person.registration.email)
  return person
}

describe('where admins need a second factor', () => {
  test('an admin without one is a user who is told to set one up, and an admin in the session that has it', async () => {
    const ana = await anAdmin()
    expect(await ana.findActor()).toMatchObject({ role: 'user', needsSecondFactor: true })
    expect((await ana.call<SecondFactorState>('GET', 'second-factor')).body.isRequired).toBe(true)
    // Past the gateway, which says why (`sessions.integration.spec.ts` there), they are a user: the console reads and does nothing.
    const ben = await FactorPerson.signUp(identity)
    const { id } = (await ben.findActor())!
    for (const [method, path, body] of [
      ['GET', '/api/admin/users', undefined],
      ['POST', `/api/admin/users/${id}/end-sessions`, { reason: REASON }],
      ['POST', `/api/admin/users/${id}/role`, { role: 'admin', reason: REASON }],
    ] as const) {
      const request = { actor: await ana.findActor(), ...(body && { body }) }
      expect(await identity.client.request(method, path, request)).toMatchObject({
        ...{ status: 404, body: { code: 'NOT_FOUND' } },
      })
    }
    expect(await ben.findActor()).toMatchObject({ id, role: 'user' })
    await ana.addApp()
    const actor = await ana.findActor()
    expect(actor).toMatchObject({ role: 'admin' })
    expect(actor).not.toHaveProperty('needsSecondFactor')
    const users = await identity.client.request('GET', '/api/admin/users', { actor })
    expect(users.status).toBe(200)
  })

  test('the last factor of an admin stays, and an app can be replaced', async () => {
    const ana = await anAdmin()
    await ana.addApp()
    expect(await ana.call('DELETE', 'second-factor/authenticator')).toMatchObject({
      ...{ status: 409, body: { code: 'LAST_SECOND_FACTOR' } },
    })
    await ana.addPasskey()
    expect((await ana.call('DELETE', 'second-factor/authenticator')).status).toBe(204)
    expect(await ana.findActor()).toMatchObject({ role: 'admin' })
  })

  test('a user who becomes an admin has to sign in with a second factor first', async () => {
    const ben = await FactorPerson.signUp(identity)
    expect(await ben.findActor()).toMatchObject({ role: 'user' })
    await run(makeAdmin, ben.registration.email)
    expect(await ben.findActor()).toMatchObject({ role: 'user', needsSecondFactor: true })
  })
})

describe('an operator', () => {
  test('removes the factors of who has lost all, and the act is kept', async () => {
    const ana = await anAdmin()
    await ana.addApp()
    await ana.addPasskey()
    const { id } = (await ana.findActor())!
    const { email, username } = ana.registration
    await identity.database.admin.query(
      `INSERT INTO identity.mailed_token (token_hash, user_id, purpose, email, expires_at)
       VALUES (sha256('token'), $1, 'change_email', 'thief@example.net', now() + interval '1 day')`,
      [id],
    )
    expect(await run(removeSecondFactors, 'nobody@example.net')).toBeNull()
    expect(await run(removeSecondFactors, email.toUpperCase())).toBe(username)
    expect(await run(removeSecondFactors, email)).toBe(username)
    expect(await ana.findActor()).toBeNull()
    // A thief may have asked for another address.
    const links = `SELECT FROM identity.mailed_token WHERE user_id = $1 AND purpose = 'change_email'`
    expect((await identity.database.admin.query(links, [id])).rowCount).toBe(0)
    expect((await ana.signIn()).status).toBe(200)
    expect(await ana.findActor()).toMatchObject({ role: 'user', needsSecondFactor: true })
    const { rows } = await identity.database.admin.query<KeptAct & { command_line_user: string }>(
      `SELECT act, before, reason, command_line_user FROM identity.admin_act
       WHERE subject = $1 AND act = 'user.remove_second_factors'`,
      [`user:${id}`],
    )
    const before = { authenticator: 1, passkeys: 1, recoveryCodes: 10 }
    expect(rows).toEqual([{ act: 'user.remove_second_factors', before, reason: REASON, command_line_user: 'ops' }])
    const mails = await identity.mailsTo(email, 4)
    expect(mails.map(({ subject }) => subject)).toContain('Your second factors were removed')
  })
})
