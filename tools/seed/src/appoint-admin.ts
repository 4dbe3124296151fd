import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MAKE_ADMIN = fileURLToPath(new URL('../../../apps/identity-svc/dist/make-admin.js', import.meta.url))
const WITHIN_MS = 20_000

/** Makes a user an admin by the operator's command: the product has no route for it, so that none can be misused. */
export async function appointAdmin(email: string, identityDatabaseUrl: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: identityDatabaseUrl }
  await promisify(execFile)(process.execPath, [MAKE_ADMIN, email], { env, timeout: WITHIN_MS })
}
