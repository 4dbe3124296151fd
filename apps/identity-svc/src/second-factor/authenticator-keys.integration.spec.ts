import { randomBytes } from 'node:crypto'
import { KeyRing } from '@holdfast/encryption/key-ring'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { DataSource } from 'typeorm'
import { FactorPerson } from '../../test/factor-person.js'
import { RunningIdentity } from '../../test/running-identity.js'
import type { IdentityConfig } from '../config.js'
import { AuthenticatorKeys } from './authenticator-keys.js'
import { AuthenticatorSecrets } from './authenticator-secrets.js'

const newKey = () => randomBytes(32).toString('base64url')
const OLD = `old:${newKey()}`
const BOTH = `new:${newKey()},${OLD}`

let identity: RunningIdentity
beforeAll(async () => {
  identity = await RunningIdentity.start({ ENCRYPTION_KEYS: OLD })
})
afterAll(() => identity.stop())

test('an app whose set-up began before a rotation is kept with the new master key', async () => {
  const ana = await FactorPerson.signUp(identity)
  ana.secret = (await ana.call<{ secret: string }>('POST', 'second-factor/authenticator')).body.secret
  const { app } = identity.running
  // The replica that confirms was started with the new keys, and has wrapped again what was there.
  const secrets = app.get(AuthenticatorSecrets)
  const use = (config: Pick<IdentityConfig, 'ENCRYPTION_KEYS'>) => Object.assign(secrets, { config })
  use({ ENCRYPTION_KEYS: KeyRing.parse(BOTH) })
  try {
    await app.get(AuthenticatorKeys).rewrap()
    const confirmed = await ana.call('POST', 'second-factor/authenticator/confirm', { code: ana.codeAt(0) })
    expect(confirmed.status).toBe(200)
    const { rows } = await identity.database.admin.query(
      'SELECT key_id FROM identity.authenticator WHERE user_id = $1',
      [(await ana.findActor())!.id],
    )
    expect(rows).toEqual([{ key_id: 'new' }])
    ana.leaveBrowser()
    await ana.signIn()
    expect((await ana.call('POST', 'signin/second-step', { code: ana.codeAt(1) })).status).toBe(200)
  } finally {
    use(app.get<IdentityConfig>(CONFIG))
    await identity.database.admin.query('DELETE FROM identity.authenticator')
  }
})

test('a rotation wraps the keys of the apps again, and the secrets can be read with the new master key', async () => {
  const ana = await FactorPerson.signUp(identity)
  await ana.addApp()
  const { id } = (await ana.findActor())!
  const dataSource = identity.running.app.get(DataSource)
  const secretsWith = (keys: string) =>
    new AuthenticatorSecrets({ ENCRYPTION_KEYS: KeyRing.parse(keys) } as IdentityConfig)
  const read = async (keys: string) => {
    const [row] = await dataSource.query(
      'SELECT sealed, key_id AS "keyId", wrapped_key AS "wrappedKey" FROM authenticator WHERE user_id = $1',
      [id],
    )
    return secretsWith(keys).open(row, id)
  }
  const secret = await read(OLD)
  const rotation = new AuthenticatorKeys(dataSource, secretsWith(BOTH))
  expect(await rotation.rewrap()).toBe(1)
  expect(await rotation.rewrap()).toBe(0)
  expect(await read(BOTH.split(',')[0]!)).toEqual(secret)
  await expect(read(OLD)).rejects.toThrow('no master key "new"')
})
