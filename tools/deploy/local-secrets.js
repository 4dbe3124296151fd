// `node tools/deploy/local-secrets.js` makes the secrets of docker-compose.yml and of the Kubernetes overlay `local`: a file of
// variables for each process. Secrets that exist are kept. Nothing here is for production.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { environments, migrateEnvironment } from '../dev/environment.js'
import { loadSecrets } from '../dev/secrets.js'
import { ROOT } from '../dev/settings.js'
import { TOPOLOGY } from '../dev/topology.js'

const SECRETS_FOLDER = path.join(ROOT, 'deploy/k8s/overlays/local/secrets')

/** The variables whose values are secret, of all processes. The others stand in files that are in the repository. */
const SECRET_VARIABLES = new Set([
  'ACTOR_KEYS',
  'DATABASE_URL',
  'REDIS_URL',
  'ENCRYPTION_KEYS',
  'STORAGE_SECRET_KEY',
  'VAPID_PRIVATE_KEY',
  'TWILIO_ACCOUNT_SID',
  'TWILIO_AUTH_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'CARRIER_API_KEY',
  'CARRIER_WEBHOOK_SECRET',
  'COINIFY_API_KEY',
  'COINIFY_WEBHOOK_SECRET',
])

/**
 * The secret variables of each process, of the migrations, of PostgreSQL, of Redis and of the S3 server:
 * `{ gateway: { DATABASE_URL, … }, … }`.
 */
export function secretsOfProcesses(secrets, topology = TOPOLOGY) {
  const settings = { ...SETTINGS, redisUrl: `redis://:${secrets.redisPassword}@redis:6379` }
  const environmentOf = environments({ settings, secrets, ports: PORTS }, topology)
  const services = [...topology.processes.keys()].map(name => [name, secretPart(environmentOf(name))])
  const { DATABASE_ADMIN_URL, ROLE_PASSWORDS } = migrateEnvironment({ secrets, ports: PORTS })
  return {
    ...Object.fromEntries(services),
    migrate: { DATABASE_ADMIN_URL: atPostgres(DATABASE_ADMIN_URL), ROLE_PASSWORDS },
    postgres: { POSTGRES_PASSWORD: secrets.postgresPassword },
    s3: { ROOT_SECRET_KEY: secrets.storageSecretKey },
    redis: { REDIS_PASSWORD: secrets.redisPassword },
  }
}

// The launcher makes the environment of a process from these too, and only its secrets are taken.
const SETTINGS = { publicUrl: 'http://localhost', dataDir: '/data' }
const PORTS = new Proxy({ postgres: 5432 }, { get: (known, name) => known[name] ?? { port: 8080, opsPort: 9090 } })

const secretPart = environment =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => SECRET_VARIABLES.has(name))
      .map(([name, value]) => [name, name === 'DATABASE_URL' ? atPostgres(value) : value]),
  )

function atPostgres(text) {
  const url = new URL(text)
  url.hostname = 'postgres'
  return url.href
}

function write(folder) {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const [name, variables] of Object.entries(secretsOfProcesses(loadSecrets(folder)))) {
    const lines = Object.entries(variables).map(([variable, value]) => `${variable}=${value}\n`)
    fs.writeFileSync(path.join(folder, `${name}.env`), lines.join(''), { mode: 0o600 })
  }
  process.stdout.write(`The secrets are in ${path.relative(process.cwd(), folder)}.\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) write(SECRETS_FOLDER)
