import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from './failure.js'

/** The folder of the whole workspace. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

const PORT_DEFAULT = 3000
const PORT_MAX = 65_535
const ARGUMENTS = ['--fresh', '--no-demo', '--distributed']
/** Most replicas of a service. */
export const MAX_REPLICAS = 3
const DAY_SECONDS_DEFAULT = 86_400

/**
 * The choices of the person who starts the product: PORT, HOST, PUBLIC_URL, DATA_DIR, DAY_SECONDS, LOG_LEVEL, OIDC_PROVIDERS,
 * ADMIN_SECOND_FACTOR, REPLICAS, PGBOUNCER and those of Stripe in the environment, `--fresh`, `--no-demo` and `--distributed` as arguments. Throws a
 * Failure that names what is wrong.
 */
export function readSettings(args, env) {
  for (const arg of args) {
    if (!ARGUMENTS.includes(arg)) {
      throw new Failure(
        `"${arg}" is unknown: npm start takes -- --fresh (remove all data first), -- --no-demo, and -- --distributed.`,
      )
    }
  }
  const stripe = stripeSettings(env)
  const port = wholeNumber('PORT', env.PORT, PORT_DEFAULT, PORT_MAX)
  return {
    fresh: args.includes('--fresh'),
    /** Whether it runs on Kafka, Redis and S3, as in production. */
    distributed: args.includes('--distributed'),
    /** The path of pgbouncer, behind which the services then run; null without one. */
    pooler: (args.includes('--distributed') && env.PGBOUNCER) || null,
    // The demo pays with the sandbox's own calls.
    demo: !args.includes('--no-demo') && stripe === null,
    host: env.HOST || '127.0.0.1',
    port,
    publicUrl: env.PUBLIC_URL || `http://localhost:${port}`,
    dataDir: path.resolve(ROOT, env.DATA_DIR || '.data'),
    daySeconds: wholeNumber('DAY_SECONDS', env.DAY_SECONDS, DAY_SECONDS_DEFAULT, DAY_SECONDS_DEFAULT),
    logLevel: env.LOG_LEVEL || 'info',
    oidcProviders: env.OIDC_PROVIDERS || '[]',
    adminSecondFactor: env.ADMIN_SECOND_FACTOR || 'optional',
    /** How many processes of each service run. */
    replicas: wholeNumber('REPLICAS', env.REPLICAS, 1, MAX_REPLICAS),
    stripe,
    // For tools/chaos alone: the port of a proxy by which the processes reach PostgreSQL, and a module that each of them loads first.
    databasePort: env.CHAOS_DATABASE_PORT
      ? wholeNumber('CHAOS_DATABASE_PORT', env.CHAOS_DATABASE_PORT, 1, PORT_MAX)
      : null,
    preload: env.CHAOS_PRELOAD || null,
  }
}

/** The variables of escrow-svc with which it pays through Stripe in test mode (docs/stripe.md); null when the sandbox takes its place. */
function stripeSettings(env) {
  if (!env.STRIPE_SECRET_KEY) return null
  if (!/^(sk|rk)_test_/.test(env.STRIPE_SECRET_KEY)) {
    throw new Failure(
      'STRIPE_SECRET_KEY must be a key of test mode (sk_test_…): a product that npm start runs moves no real money.',
    )
  }
  const missing = ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'].filter(name => !env[name])
  if (missing.length > 0)
    throw new Failure(`With STRIPE_SECRET_KEY, ${missing.join(' and ')} must be set, too (docs/stripe.md).`)
  return {
    STRIPE_API_URL: '',
    STRIPE_PUBLIC_URL: '',
    STRIPE_SECRET_KEY: env.STRIPE_SECRET_KEY,
    STRIPE_PUBLISHABLE_KEY: env.STRIPE_PUBLISHABLE_KEY,
    STRIPE_WEBHOOK_SECRET: env.STRIPE_WEBHOOK_SECRET,
    STRIPE_CONNECT_WEBHOOK_SECRET: env.STRIPE_CONNECT_WEBHOOK_SECRET || '',
  }
}

function wholeNumber(name, text, fallback, max) {
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new Failure(`${name} is "${text}" and must be a whole number from 1 to ${max}.`)
}
