import { loadConfig } from './config.js'

const ENVIRONMENT = {
  PORT: '12111',
  SMTP_PORT: '12112',
  DATABASE_URL: 'postgres://sandbox_svc@localhost/holdfast',
  STRIPE_SECRET_KEY: 'sk_test_a',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_a',
  STRIPE_WEBHOOK_SECRET: 'whsec_a',
  CARRIER_API_KEY: 'carrier-key',
  COINIFY_API_KEY: 'sandbox_crypto-key',
  COINIFY_WEBHOOK_SECRET: 'crypto-secret',
}

describe('the environment', () => {
  it('needs little, and an empty variable counts as unset', () => {
    expect(loadConfig({ ...ENVIRONMENT, WEBHOOK_URL: '', ALLOWED_ORIGINS: '' })).toMatchObject({
      host: '127.0.0.1',
      port: 12_111,
      daySeconds: 86_400,
      allowedOrigins: [],
      stripeWebhook: { url: null, secret: 'whsec_a' },
    })
  })

  it('takes several origins', () => {
    const { allowedOrigins } = loadConfig({
      ...ENVIRONMENT,
      ALLOWED_ORIGINS: 'http://localhost:3000, http://127.0.0.1:3000/',
    })
    expect(allowedOrigins).toEqual(['http://localhost:3000', 'http://127.0.0.1:3000'])
  })

  it.each([
    [{ PORT: 'many', DATABASE_URL: '' }, ['PORT', 'DATABASE_URL']],
    [{ STRIPE_SECRET_KEY: 'sk_live_money' }, ['STRIPE_SECRET_KEY']],
    [{ COINIFY_API_KEY: 'production_money-key' }, ['COINIFY_API_KEY']],
    [{ CARRIER_WEBHOOK_URL: 'http://localhost/x' }, ['CARRIER_WEBHOOK_SECRET']],
    [{ NODE_ENV: 'production' }, ['NODE_ENV', 'never runs in production']],
  ])('%j stops the start, naming what is wrong and not its value', (change, named) => {
    const load = () => loadConfig({ ...ENVIRONMENT, ...change })
    for (const name of named) expect(load).toThrow(name)
    expect(load).not.toThrow('sk_live_money')
  })
})
