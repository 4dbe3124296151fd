import path from 'node:path'
import { isSupportedNode } from './node-version.js'
import { ROOT, readSettings } from './settings.js'

describe('readSettings', () => {
  it('has a default for everything', () => {
    expect(readSettings([], {})).toEqual({
      fresh: false,
      distributed: false,
      pooler: null,
      databasePort: null,
      preload: null,
      demo: true,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://localhost:3000',
      dataDir: path.join(ROOT, '.data'),
      daySeconds: 86_400,
      logLevel: 'info',
      oidcProviders: '[]',
      adminSecondFactor: 'optional',
      replicas: 1,
      stripe: null,
    })
  })

  it('takes the port and the data folder from the environment', () => {
    const settings = readSettings(['--fresh'], { PORT: '4000', DATA_DIR: '/srv/holdfast', DAY_SECONDS: '60' })
    expect(settings).toMatchObject({ fresh: true, publicUrl: 'http://localhost:4000', dataDir: '/srv/holdfast' })
    expect(settings.daySeconds).toBe(60)
  })

  it('uses a pooler only where it runs as in production', () => {
    const env = { PGBOUNCER: '/usr/sbin/pgbouncer' }
    expect(readSettings(['--distributed'], env).pooler).toBe('/usr/sbin/pgbouncer')
    expect(readSettings([], env).pooler).toBeNull()
  })

  it.each([
    [{ PORT: 'web' }, 'PORT is "web" and must be a whole number from 1 to 65535'],
    [{ PORT: '70000' }, 'PORT is "70000"'],
    [{ DAY_SECONDS: '0.5' }, 'DAY_SECONDS is "0.5"'],
    [{ DAY_SECONDS: '-1' }, 'DAY_SECONDS is "-1"'],
    [{ REPLICAS: '4' }, 'REPLICAS is "4" and must be a whole number from 1 to 3'],
  ])('refuses %j and says why', (env, sentence) => {
    expect(() => readSettings([], env)).toThrow(sentence)
  })

  describe('with a key of Stripe', () => {
    const STRIPE = {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_1',
    }

    it('pays through Stripe, and leaves out the demo, which pays through the sandbox', () => {
      expect(readSettings([], STRIPE)).toMatchObject({ demo: false, stripe: { ...STRIPE, STRIPE_API_URL: '' } })
    })

    it.each([
      [{ STRIPE_SECRET_KEY: 'sk_live_1' }, 'must be a key of test mode'],
      [{ STRIPE_PUBLISHABLE_KEY: '' }, 'STRIPE_PUBLISHABLE_KEY must be set, too'],
      [{ STRIPE_WEBHOOK_SECRET: undefined }, 'STRIPE_WEBHOOK_SECRET must be set, too'],
    ])('refuses %j and says why', (change, sentence) => {
      expect(() => readSettings([], { ...STRIPE, ...change })).toThrow(sentence)
    })
  })

  it('refuses an argument it does not know', () => {
    expect(() => readSettings(['--frehs'], {})).toThrow('"--frehs" is unknown')
  })
})

describe('the version of Node', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '100.0.0'])('%s is new enough', version => {
    expect(isSupportedNode(version)).toBe(true)
  })
  it.each(['20.18.3', '18.20.0', '4.0.0'])('%s is too old', version => {
    expect(isSupportedNode(version)).toBe(false)
  })
})
