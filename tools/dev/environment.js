import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inherited } from './inherited.js'
import { ROOT } from './settings.js'
import { calleesOf, needsDatabase, roleOf, TOPOLOGY, urlVariableOf } from './topology.js'

/** Node 22 and newer keep compiled code in this folder and so boot faster the next time. Older ones ignore the variable. */
const COMPILE_CACHE = { NODE_COMPILE_CACHE: path.join(ROOT, 'node_modules/.cache/node') }

/**
 * The environment of every process that the launcher starts: the variables of all processes, the addresses of the services
 * it calls, and the variables that the topology names for it.
 * @param {{ settings, secrets, ports, engines?, poolerPort?, poolerSessions? }} plan `engines` has the variables of Kafka, Redis and S3;
 * `poolerPort` is pgbouncer's, `poolerSessions` its sessions for each role
 * @returns {(name: string, listening?: { port: number, opsPort: number }) => Record<string, string>} `listening` for a replica
 */
export function environments(plan, topology = TOPOLOGY) {
  const { settings, secrets, ports } = plan
  return (name, listening) => {
    const values = valuesOf(plan, name)
    const { public: isPublic, environment } = topology.processes.get(name)
    return {
      ...inherited(),
      ...COMPILE_CACHE,
      NODE_ENV: 'development',
      HOST: isPublic && !listening ? settings.host : '127.0.0.1',
      PORT: String(listening?.port ?? (name === 'gateway' ? settings.port : ports[name].port)),
      OPS_PORT: String((listening ?? ports[name]).opsPort),
      LOG_LEVEL: settings.logLevel,
      DAY_SECONDS: String(settings.daySeconds),
      ACTOR_KEYS: JSON.stringify(actorKeysOf(name, topology.actorPairs, secrets.actorKeys)),
      ...(needsDatabase(name, topology)
        ? {
            ...databaseUrls(plan, name, topology),
            REPLICAS: JSON.stringify(Object.fromEntries(topology.services.map(each => [each, settings.replicas]))),
          }
        : {}),
      ...Object.fromEntries(calleesOf(name, topology).map(callee => [urlVariableOf(callee), originOf(plan, callee)])),
      ...Object.fromEntries(environment.map(variable => [variable, settingOf(values, variable, name)])),
      ...plan.engines,
    }
  }
}

/** Every variable that the topology may name for a process. */
function valuesOf(plan, name) {
  const { settings, secrets, ports } = plan
  const gatewayOrigin = `http://127.0.0.1:${settings.port}`
  return {
    PUBLIC_URL: settings.publicUrl,
    WEB_DIST: path.join(ROOT, 'apps/web/dist'),
    // Without Redis the timers keep their queue in PostgreSQL. A REDIS_URL of the shell may be that of another program.
    REDIS_URL: settings.redisUrl ?? '',
    STORAGE_URL: pathToFileURL(path.join(settings.dataDir, 'files')).href,
    // For an S3 server; a folder needs none.
    STORAGE_SECRET_KEY: secrets.storageSecretKey,
    // A service has master keys of its own, so that it cannot read what another one encrypted. Production refuses this key's id.
    ENCRYPTION_KEYS: `home:${secrets.encryptionKeys[roleOf(name)]}`,
    SMTP_PORT: String(ports.smtp),
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    MAIL_FROM: 'Holdfast <hello@holdfast.example>',
    SUPPORT_EMAIL: 'support@holdfast.example',
    SALES_EMAIL: 'sales@holdfast.example',
    OIDC_PROVIDERS: settings.oidcProviders,
    VAPID_PRIVATE_KEY: secrets.vapidPrivateKey,
    // The push service of the sandbox. Those of the browsers need no line here.
    PUSH_SERVICES: originOf(plan, 'sandbox'),
    TWILIO_API_URL: originOf(plan, 'sandbox'),
    TWILIO_ACCOUNT_SID: secrets.twilioAccountSid,
    TWILIO_AUTH_TOKEN: secrets.twilioAuthToken,
    TWILIO_FROM: '+15550100000',
    ADMIN_SECOND_FACTOR: settings.adminSecondFactor,
    ...(settings.stripe && name !== 'sandbox' ? settings.stripe : stripeOfSandbox(plan)),
    CARRIER_API_URL: originOf(plan, 'sandbox'),
    CARRIER_API_KEY: secrets.carrierApiKey,
    CARRIER_WEBHOOK_SECRET: secrets.carrierWebhookSecret,
    COINIFY_API_URL: originOf(plan, 'sandbox'),
    COINIFY_API_KEY: secrets.coinifyApiKey,
    COINIFY_WEBHOOK_SECRET: secrets.coinifyWebhookSecret,
    WEBHOOK_URL: `${gatewayOrigin}/api/webhooks/stripe`,
    CARRIER_WEBHOOK_URL: `${gatewayOrigin}/api/webhooks/carrier`,
    COINIFY_WEBHOOK_URL: `${gatewayOrigin}/api/webhooks/coinify`,
    ALLOWED_ORIGINS: [...new Set([new URL(settings.publicUrl).origin, gatewayOrigin])].join(','),
  }
}

/** The variables with which the sandbox takes the place of Stripe. */
const stripeOfSandbox = plan => ({
  STRIPE_API_URL: originOf(plan, 'sandbox'),
  STRIPE_PUBLIC_URL: sandboxUrl(plan),
  STRIPE_SECRET_KEY: plan.secrets.stripeSecretKey,
  STRIPE_PUBLISHABLE_KEY: plan.secrets.stripePublishableKey,
  STRIPE_WEBHOOK_SECRET: plan.secrets.stripeWebhookSecret,
  // It signs every event with the same secret.
  STRIPE_CONNECT_WEBHOOK_SECRET: '',
})

function settingOf(values, variable, name) {
  if (variable in values) return values[variable]
  throw new Error(`The topology names the variable ${variable} for ${name}, and the launcher has no value for it.`)
}

/** The environment of `tools/migrate`. */
export function migrateEnvironment(plan) {
  return {
    ...inherited(),
    ...COMPILE_CACHE,
    DATABASE_ADMIN_URL: ownerUrl(plan),
    ROLE_PASSWORDS: JSON.stringify(plan.secrets.rolePasswords),
  }
}

/**
 * The environment of `tools/seed`. It uses the product's public API. Only making a user an admin needs the database
 * login of the service that owns accounts, since no route can do that.
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

/** How the owner of the server logs in to the product's database. @param {{ secrets, ports }} plan */
export const ownerUrl = ({ secrets, ports }) =>
  `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${ports.postgres}/holdfast`

/** The stand-ins go around the pooler: they are no part of the product. */
function databaseUrls(plan, name, { services }) {
  const direct = databaseUrl(plan, roleOf(name), plan.settings.databasePort)
  if (!plan.poolerPort || !services.includes(name)) return { DATABASE_URL: direct }
  return {
    DATABASE_URL: databaseUrl(plan, roleOf(name), plan.poolerPort),
    DATABASE_DIRECT_URL: direct,
    POOLER_CONNECTIONS: String(plan.poolerSessions),
  }
}

/** The addresses of the database by way of the pooler, as the role of each service that keeps data. @param {{ secrets, ports, poolerPort }} plan */
export function pooledUrls(plan, { services, processes } = TOPOLOGY) {
  const roles = services.filter(name => processes.get(name).schema).map(roleOf)
  return Object.fromEntries(roles.map(role => [role, databaseUrl(plan, role, plan.poolerPort)]))
}

/**
 * @param {{ secrets, ports }} plan
 * @param {string} role
 * @param {number | null} port another one than PostgreSQL's own
 */
function databaseUrl({ secrets, ports }, role, port = null) {
  return `postgres://${role}:${secrets.rolePasswords[role]}@127.0.0.1:${port ?? ports.postgres}/holdfast`
}

const originOf = ({ ports }, name) => `http://127.0.0.1:${ports[name].port}`

function actorKeysOf(name, pairs, keys) {
  return Object.fromEntries(pairs.filter(pair => pair.split('>').includes(name)).map(pair => [pair, keys[pair]]))
}

function publicOrigin(settings, port) {
  const url = new URL(settings.publicUrl)
  return `http://${url.hostname}:${port}`
}
