import {
  allOrNone,
  baseShape,
  databaseShape,
  dayShape,
  loadConfig,
  paymentMethodsShape,
  type Refusals,
} from '@holdfast/service-kit/lifecycle/config'
import { timersShape } from '@holdfast/timers/timers-config'
import { z } from 'zod'
import { webhookSecrets } from './webhook-secrets.js'

const origin = z.url({ protocol: /^https?$/ })
const stripeWebhookSecret = z.string().regex(/^whsec_\S+$/)

/** The environment variables of this service. */
export const configShape = {
  ...baseShape,
  ...databaseShape,
  ...timersShape,
  ...dayShape,
  ...paymentMethodsShape,
  /** The origin of the web app: the provider's form for a payout account leads back to it. */
  PUBLIC_URL: origin.default('http://localhost:3000'),
  /** The origin of a sandbox that stands in for Stripe's API; left out for Stripe itself. */
  STRIPE_API_URL: origin.optional(),
  /** The origin under which the browser reaches Stripe's API, or its sandbox. */
  STRIPE_PUBLIC_URL: origin.default('https://api.stripe.com'),
  STRIPE_SECRET_KEY: z.string().regex(/^sk_(test|live)_/),
  /** The id of our account at Stripe. It replaces the one that the database remembers; left out, that one is kept. */
  STRIPE_ACCOUNT: z
    .string()
    .regex(/^acct_\w+$/)
    .optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_(test|live)_/),
  STRIPE_WEBHOOK_SECRET: webhookSecrets(stripeWebhookSecret),
  /** The secrets of the webhook for events of sellers' accounts, which Stripe keeps apart; left out when both have one secret. */
  STRIPE_CONNECT_WEBHOOK_SECRET: webhookSecrets(stripeWebhookSecret).optional(),
  CARRIER_API_URL: origin.default('https://api.easypost.com'),
  CARRIER_API_KEY: z.string().min(1),
  CARRIER_WEBHOOK_SECRET: webhookSecrets(z.string().min(16)),
  /** The origin of Coinify's Payment API, or of its sandbox. */
  COINIFY_API_URL: origin.default('https://api.payment.coinify.com'),
  /** Coinify names the environment of a key in front of it. Without it, and without the secret, no cryptocurrency is offered. */
  COINIFY_API_KEY: z
    .string()
    .regex(/^(sandbox|production)_\S+$/)
    .optional(),
  COINIFY_WEBHOOK_SECRET: webhookSecrets(z.string().min(16)).optional(),
  /** An operator's act that moves more than this, in minor units, waits for a second admin. */
  FOUR_EYES_ABOVE_MINOR: z
    .string()
    .regex(/^\d{1,15}$/, 'Must be a whole number of minor units')
    .default('50000')
    .transform(BigInt),
}

/** The test keys of EasyPost and of our sandbox. */
const CARRIER_TEST_KEY = /^(EZTK|carrier_test_)/

/** Cryptocurrency needs all of its variables, or none of them, and then it must not be offered. */
const cryptoRefusals: Refusals<typeof configShape> = ({
  PAYMENT_METHODS,
  COINIFY_API_KEY,
  COINIFY_WEBHOOK_SECRET,
}) => ({
  ...allOrNone({ COINIFY_API_KEY, COINIFY_WEBHOOK_SECRET }),
  PAYMENT_METHODS:
    PAYMENT_METHODS.includes('crypto') && !COINIFY_API_KEY && !COINIFY_WEBHOOK_SECRET
      ? 'offers crypto, and COINIFY_API_KEY and COINIFY_WEBHOOK_SECRET are missing'
      : undefined,
})

/** What production does not allow. */
const productionRefusals: Refusals<typeof configShape> = config => {
  if (config.NODE_ENV !== 'production') return {}
  const { PUBLIC_URL, STRIPE_API_URL, STRIPE_SECRET_KEY, CARRIER_API_URL, CARRIER_API_KEY } = config
  const { COINIFY_API_URL, COINIFY_API_KEY } = config
  const isTestKey = 'a test key must not be used in production'
  return {
    PUBLIC_URL: PUBLIC_URL.startsWith('https:') ? undefined : 'must be https in production',
    STRIPE_API_URL: STRIPE_API_URL && 'a payment sandbox must not be used in production',
    STRIPE_SECRET_KEY: STRIPE_SECRET_KEY.includes('_test_') ? isTestKey : undefined,
    // A delivery that the carrier reports starts an inspection, and the end of an inspection releases money.
    CARRIER_API_URL: CARRIER_API_URL.startsWith('https:')
      ? undefined
      : 'a carrier sandbox must not be used in production',
    CARRIER_API_KEY: CARRIER_TEST_KEY.test(CARRIER_API_KEY) ? isTestKey : undefined,
    COINIFY_API_URL:
      COINIFY_API_URL.startsWith('https:') && !COINIFY_API_URL.includes('sandbox')
        ? undefined
        : 'a crypto sandbox must not be used in production',
    COINIFY_API_KEY: COINIFY_API_KEY && !COINIFY_API_KEY.startsWith('production_') ? isTestKey : undefined,
  }
}

/** Reads the configuration. Wrong values end the process with a message that names each variable. */
export const loadEscrowConfig = (env?: NodeJS.ProcessEnv) =>
  loadConfig(configShape, env, config => ({ ...productionRefusals(config), ...cryptoRefusals(config) }))

export type EscrowConfig = ReturnType<typeof loadEscrowConfig>
