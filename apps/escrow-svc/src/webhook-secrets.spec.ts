import { createHmac } from 'node:crypto'

import { parseConfig } from '@holdfast/service-kit/lifecycle/config'
import { registry } from '@holdfast/service-kit/telemetry/metrics'
import { refusedVariables } from '@holdfast/testing/refused-variables'
import Stripe from 'stripe'
import { SECRETS } from '../test/dependencies.js'
import { configShape } from './config.js'
import { CryptoProcessor } from './payments/crypto/crypto-processor.js'
import { StripeProvider } from './payments/stripe.provider.js'
import type { PlatformAccount } from './provider/platform-account.js'
import { CarrierClient } from './tracking/carrier.client.js'

const configWith = (settings: Record<string, string>) =>
  parseConfig(configShape, {
    ...{ NODE_ENV: 'test', PORT: '0', OPS_PORT: '0', DATABASE_URL: 'postgres://nobody@127.0.0.1/none' },
    ...{ ...SECRETS, CARRIER_API_URL: 'http://127.0.0.1:1', COINIFY_API_URL: 'http://127.0.0.1:1', ...settings },
  })
const hmac = (secret: string, text: string | Buffer) => createHmac('sha256', secret).update(text).digest('hex')

const config = configWith({
  STRIPE_WEBHOOK_SECRET: 'whsec_the_next_one,whsec_the_last_one',
  STRIPE_CONNECT_WEBHOOK_SECRET: 'whsec_connect_next, whsec_connect_last',
  CARRIER_WEBHOOK_SECRET: 'the carrier’s next one,the carrier’s last one',
  COINIFY_WEBHOOK_SECRET: 'the crypto processor’s next,the crypto processor’s last',
})
const carrier = new CarrierClient(config)
const crypto = new CryptoProcessor(config)
const stripe = new StripeProvider(config, { client: new Stripe('sk_test_x') } as PlatformAccount)
afterAll(() => Promise.all([carrier.end(), crypto.onApplicationShutdown()]))

const SECONDS = Math.floor(Date.now() / 1000)
const stripeRaw = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'balance.available', livemode: false, data: {} }))
const stripeSigns = (secret: string) => `v1=${hmac(secret, `${SECONDS}.${stripeRaw}`)}`
const fromStripe = (...secrets: string[]) =>
  stripe.readEvent(stripeRaw, [`t=${SECONDS}`, ...secrets.map(stripeSigns)].join(','))
const cryptoRaw = Buffer.from(JSON.stringify({ id: '1', event: 'payment-intent.completed', context: { id: '1' } }))
const carrierRaw = Buffer.from(JSON.stringify({ description: 'batch.created' }))

/** Sends an event of each sender, signed with a secret. */
const SENDERS = {
  STRIPE_WEBHOOK_SECRET: (secret: string) => fromStripe(secret),
  STRIPE_CONNECT_WEBHOOK_SECRET: (secret: string) => fromStripe(secret),
  CARRIER_WEBHOOK_SECRET: (secret: string) =>
    carrier.readWebhook(carrierRaw, `hmac-sha256-hex=${hmac(secret.normalize('NFKD'), carrierRaw)}`),
  COINIFY_WEBHOOK_SECRET: (secret: string) => crypto.readEvent(cryptoRaw, hmac(secret, cryptoRaw)),
}
const INVALID = expect.objectContaining({ code: 'WEBHOOK_SIGNATURE_INVALID' })

describe.each(Object.keys(SENDERS) as (keyof typeof SENDERS)[])('a webhook signed with one of %s', setting => {
  const [next, last] = config[setting] as [string, string]
  /** How many webhooks were accepted with the secret at this position. */
  const accepted = async (position: number) => {
    const { values } = await registry.getSingleMetric('webhook_signatures_total')!.get()
    const isOf = ({ labels }: (typeof values)[number]) =>
      labels.setting === setting && labels.position === String(position)
    return values.find(isOf)?.value ?? 0
  }

  it('is accepted, whichever of them it is, and counted by its position', async () => {
    const before = [await accepted(1), await accepted(2)] as const
    expect(() => SENDERS[setting](next)).not.toThrow()
    expect(() => SENDERS[setting](last)).not.toThrow()
    expect(() => SENDERS[setting](last)).not.toThrow()
    expect([await accepted(1), await accepted(2)]).toEqual([before[0] + 1, before[1] + 2])
  })

  it.each(['whsec_somebody_elses_one', `${next},${last}`, ''])('is refused with %j', secret => {
    expect(() => SENDERS[setting](secret)).toThrow(INVALID)
  })
})

it('while Stripe replaces a secret, an event has a signature of the old one and of the new one', () => {
  expect(fromStripe('whsec_newer_than_ours', 'whsec_the_last_one')).toMatchObject({ id: 'evt_1' })
  expect(fromStripe('whsec_the_next_one', 'whsec_the_last_one')).toMatchObject({ id: 'evt_1' })
})

describe('a setting with webhook secrets', () => {
  const refusal = (settings: Record<string, string>) => refusedVariables(() => configWith(settings))

  it('is one secret, or several between commas', () => {
    expect(configWith({}).STRIPE_WEBHOOK_SECRET).toEqual([SECRETS.STRIPE_WEBHOOK_SECRET])
    expect(configWith({}).STRIPE_CONNECT_WEBHOOK_SECRET).toBeUndefined()
    expect(config.STRIPE_CONNECT_WEBHOOK_SECRET).toEqual(['whsec_connect_next', 'whsec_connect_last'])
  })

  it.each([
    ['STRIPE_WEBHOOK_SECRET', 'whsec_one,'],
    ['STRIPE_WEBHOOK_SECRET', 'whsec_one,sk_test_two'],
    ['STRIPE_WEBHOOK_SECRET', ''],
    ['STRIPE_CONNECT_WEBHOOK_SECRET', ',whsec_one'],
    ['CARRIER_WEBHOOK_SECRET', 'long enough for one,too short'],
    ['COINIFY_WEBHOOK_SECRET', Array(5).fill('the same one again').join(',')],
  ])('%s is refused with %j', (setting, text) => {
    expect(refusal({ [setting]: text })).toEqual([setting])
  })
})
