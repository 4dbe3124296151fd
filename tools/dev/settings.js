import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Failure } from './failure.js'

/** The folder of the whole workspace. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..')

const PORT_DEFAULT = 3000
const PORT_MAX = 65_535
/** Most replicas of a service. */
export const MAX_REPLICAS = 3
const DAY_SECONDS_DEFAULT = 86_400

/**
 * The choices of the person who starts the product: PORT, HOST, PUBLIC_URL, DATA_DIR, DAY_SECONDS,
 * LOG_LEVEL, OIDC_PROVIDERS, ADMIN_SECOND_FACTOR and REPLICAS in the environment, `--fresh` and `--no-demo` as arguments. Throws a Failure that names what is wrong.
 */
export function readSettings(args, env) {
  for (const arg of args) {
    if (arg !== '--fresh' && arg !== '--no-demo') {
      throw new Failure(`"${arg}" is unknown: npm start takes -- --fresh (remove all data first) and -- --no-demo.`)
    }
  }
  const port = wholeNumber('PORT', env.PORT, PORT_DEFAULT, PORT_MAX)
  return {
    fresh: args.includes('--fresh'),
    demo: !args.includes('--no-demo'),
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
  }
}

function wholeNumber(name, text, fallback, max) {
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= max) return value
  throw new Failure(`${name} is "${text}" and must be a whole number from 1 to ${max}.`)
}
