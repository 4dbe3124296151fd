import path from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * A variable of the environment.
 *
 * @param {string} name
 */
export const required = name => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} must be set: npm test does, or start the product and set it by hand.`)
  return value
}

/** The public address of the started product. */
export const BASE_URL = new URL(required('BASE_URL')).origin
/** The address of its payment and carrier sandbox. */
export const SANDBOX_URL = new URL(required('SANDBOX_URL')).origin
/** The length of the product's day in seconds. */
export const DAY_SECONDS = Number(required('DAY_SECONDS'))
/** The folder of the product's logs, at level debug; null when the product was started by hand without LOGS_DIR. */
export const LOGS_DIR = process.env.LOGS_DIR || null
/** The port of each service, by its name; none when they are not known. */
export const SERVICE_PORTS = JSON.parse(process.env.SERVICE_PORTS || '{}')
/** The address of the Jaeger to which the product sends its traces; null when there is none. */
export const JAEGER_URL = process.env.JAEGER_URL || null
/** The brokers of Kafka, when the product's events go over it; null otherwise. */
export const KAFKA_BROKERS = process.env.KAFKA_BROKERS || null
/** The file for `{ passed, failures }`; null when the journeys are run by hand. */
export const RESULT_FILE = process.env.E2E_RESULT || null

const FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
/** Whether pictures of screens and journeys are kept. Those of screens take a fifth of the time of looking at them. */
export const KEEPS_PICTURES = process.env.PICTURES === '1'
/** The folder for pictures. */
export const SCREENSHOTS = path.join(FOLDER, 'screenshots')
