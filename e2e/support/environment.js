import path from 'node:path'
import { fileURLToPath } from 'node:url'

const required = name => {
  const value = process.env[name]
  if (!value) throw new Error(`${name} must be set: npm test does, or start the product and set it by hand.`)
  return value
}

/** Where the started product is, as a browser reaches it. */
export const BASE_URL = new URL(required('BASE_URL')).origin
/** Where its payment and carrier sandbox is. */
export const SANDBOX_URL = new URL(required('SANDBOX_URL')).origin
/** How long the product's day is. */
export const DAY_SECONDS = Number(required('DAY_SECONDS'))
/** Where the product's processes log, at level debug; null when a product was started by hand and nobody said so. */
export const LOGS_DIR = process.env.LOGS_DIR || null
/** The file that is told `{ passed, failed }`; none when the journeys are run by hand. */
export const RESULT_FILE = process.env.E2E_RESULT || null

const FOLDER = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
/** Pictures of what went wrong, and of every screen. */
export const SCREENSHOTS = path.join(FOLDER, 'screenshots')
