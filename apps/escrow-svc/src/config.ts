import { baseShape, databaseShape, dayShape, loadConfig } from '@holdfast/service-kit/lifecycle/config'
import { z } from 'zod'

const origin = z.url({ protocol: /^https?$/ })

/** What this service reads from its environment. */
const configShape = {
  ...baseShape,
  ...databaseShape,
  ...dayShape,
  /** What speaks Stripe's API in its place; left out for Stripe itself. */
  STRIPE_API_URL: origin.optional(),
  /** Where the browser reaches the same. */
  STRIPE_PUBLIC_URL: origin.default('https://api.stripe.com'),
  STRIPE_SECRET_KEY: z.string().regex(/^(sk|rk)_(test|live)_/),
  STRIPE_PUBLISHABLE_KEY: z.string().regex(/^pk_(test|live)_/),
  STRIPE_WEBHOOK_SECRET: z.string().regex(/^whsec_/),
  CARRIER_API_URL: origin.default('https://api.easypost.com'),
  CARRIER_API_KEY: z.string().min(1),
  CARRIER_WEBHOOK_SECRET: z.string().min(16),
}

/** EasyPost's test keys, and our sandbox's. */
const CARRIER_TEST_KEY = /^(EZTK|carrier_test_)/

/** Reads the configuration; a bad one ends the process with a message that names every variable. */
export const loadEscrowConfig = (env?: NodeJS.ProcessEnv) =>
  loadConfig(configShape, env, ({ NODE_ENV, STRIPE_API_URL, STRIPE_SECRET_KEY, CARRIER_API_URL, CARRIER_API_KEY }) =>
    NODE_ENV === 'production'
      ? {
          STRIPE_API_URL: STRIPE_API_URL && 'a payment sandbox is not for production',
          STRIPE_SECRET_KEY: STRIPE_SECRET_KEY.includes('_test_') ? 'a test key is not for production' : undefined,
          // The carrier's word begins inspections, and they release money.
          CARRIER_API_URL: CARRIER_API_URL.startsWith('https:') ? undefined : 'a carrier sandbox is not for production',
          CARRIER_API_KEY: CARRIER_TEST_KEY.test(CARRIER_API_KEY) ? 'a test key is not for production' : undefined,
        }
      : {},
  )

export type EscrowConfig = ReturnType<typeof loadEscrowConfig>
