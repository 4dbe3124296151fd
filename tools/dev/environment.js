import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inherited } from './inherited.js'
import { ROOT } from './settings.js'
import { ACTOR_PAIRS, roleOf, SERVICES } from './topology.js'

/**
 * The one place that builds the environment of every process of the product at home.
 * @param {{ settings, secrets, ports }} plan
 * @returns {(name: string) => Record<string, string>}
 */
export function environments(plan) {
  const { settings, secrets, ports } = plan
  const origin = name => `http://127.0.0.1:${ports[name].port}`
  const sandboxPublicUrl = publicOrigin(settings, ports.sandbox.port)

  const services = {
    IDENTITY_URL: origin('identity-svc'),
    LISTING_URL: origin('listing-svc'),
    ESCROW_URL: origin('escrow-svc'),
    DISPUTE_URL: origin('dispute-svc'),
    MESSAGING_URL: origin('messaging-svc'),
  }
  const stripe = {
    STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    STRIPE_PUBLISHABLE_KEY: secrets.stripePublishableKey,
    STRIPE_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
  }
  const carrier = { CARRIER_API_KEY: secrets.carrierApiKey, CARRIER_WEBHOOK_SECRET: secrets.carrierWebhookSecret }
  const gatewayOrigin = `http://127.0.0.1:${settings.port}`

  const own = {
    gateway: {
      ...services,
      HOST: settings.host,
      PORT: String(settings.port),
      WEB_DIST: path.join(ROOT, 'apps/web/dist'),
      PUBLIC_URL: settings.publicUrl,
      TRUSTED_PROXIES: '',
      STRIPE_PUBLIC_URL: sandboxPublicUrl,
    },
    'identity-svc': { PUBLIC_URL: settings.publicUrl },
    'listing-svc': { STORAGE_URL: pathToFileURL(path.join(settings.dataDir, 'files')).href },
    'escrow-svc': {
      ...stripe,
      ...carrier,
      PUBLIC_URL: settings.publicUrl,
      STRIPE_API_URL: origin('sandbox'),
      STRIPE_PUBLIC_URL: sandboxPublicUrl,
      CARRIER_API_URL: origin('sandbox'),
    },
    'dispute-svc': { ESCROW_URL: services.ESCROW_URL },
    'messaging-svc': {},
    sandbox: {
      ...stripe,
      ...carrier,
      HOST: settings.host,
      STRIPE_PUBLIC_URL: sandboxPublicUrl,
      DATA_DIR: path.join(settings.dataDir, 'sandbox'),
      WEBHOOK_URL: `${gatewayOrigin}/api/webhooks/stripe`,
      CARRIER_WEBHOOK_URL: `${gatewayOrigin}/api/webhooks/carrier`,
      ALLOWED_ORIGINS: allowedOrigins(settings).join(','),
    },
  }

  return name => ({
    ...inherited(),
    // Node 22 and newer keep compiled code there, and boot faster the next time; older ones do not know the word.
    NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/node'),
    NODE_ENV: 'development',
    PROFILE: 'embedded',
    EVENTS_TRANSPORT: 'embedded',
    HOST: '127.0.0.1',
    PORT: String(ports[name].port),
    OPS_PORT: String(ports[name].opsPort),
    LOG_LEVEL: settings.logLevel,
    DAY_SECONDS: String(settings.daySeconds),
    ACTOR_KEYS: JSON.stringify(actorKeysOf(name, secrets.actorKeys)),
    ...(name === 'sandbox' ? {} : { DATABASE_URL: databaseUrl(plan, databaseRoleOf(name)) }),
    ...own[name],
  })
}

/** The environment of `tools/migrate`. */
export function migrateEnvironment(plan) {
  return {
    ...inherited(),
    DATABASE_ADMIN_URL: databaseUrl(plan, 'postgres', plan.secrets.postgresPassword),
    ROLE_PASSWORDS: JSON.stringify(plan.secrets.rolePasswords),
  }
}

/**
 * The environment of `tools/seed`. It works through the product's own door; only making somebody an admin needs the
 * login of the service that owns accounts, since nothing behind the door can do that.
 */
export function seedEnvironment(plan, demoFile) {
  return {
    ...inherited(),
    GATEWAY_URL: `http://127.0.0.1:${plan.settings.port}`,
    SANDBOX_URL: `http://127.0.0.1:${plan.ports.sandbox.port}`,
    IDENTITY_DATABASE_URL: databaseUrl(plan, roleOf('identity-svc')),
    DEMO_FILE: demoFile,
  }
}

/** The origin of the sandbox as a browser on this machine reaches it. */
export const sandboxUrl = plan => publicOrigin(plan.settings, plan.ports.sandbox.port)

function databaseUrl({ secrets, ports }, role, password = secrets.rolePasswords[role]) {
  return `postgres://${role}:${password}@127.0.0.1:${ports.postgres}/holdfast`
}

const databaseRoleOf = name => (SERVICES.includes(name) ? roleOf(name) : 'gateway_svc')

function actorKeysOf(name, keys) {
  return Object.fromEntries(ACTOR_PAIRS.filter(pair => pair.split('>').includes(name)).map(pair => [pair, keys[pair]]))
}

function publicOrigin(settings, port) {
  const url = new URL(settings.publicUrl)
  return `http://${url.hostname}:${port}`
}

function allowedOrigins(settings) {
  return [...new Set([new URL(settings.publicUrl).origin, `http://127.0.0.1:${settings.port}`])]
}
