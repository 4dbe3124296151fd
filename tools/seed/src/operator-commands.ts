import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** Only a command that hangs takes so long: on a busy machine it loads its modules for half a minute. */
const WITHIN_MS = 120_000

/** Makes a user an admin by the operator's command: the product has no route for it, so that none can be misused. */
export const appointAdmin = (email: string, identityDatabaseUrl: string) =>
  run('make-admin', email, identityDatabaseUrl)

/** Marks a user as verified by the operator's command. */
export const verify = (email: string, identityDatabaseUrl: string) => run('verify-user', email, identityDatabaseUrl)

async function run(command: string, email: string, identityDatabaseUrl: string): Promise<void> {
  const file = fileURLToPath(new URL(`../../../apps/identity-svc/dist/${command}.js`, import.meta.url))
  const env = { ...process.env, DATABASE_URL: identityDatabaseUrl }
  await promisify(execFile)(process.execPath, [file, email, 'The demo needs it'], { env, timeout: WITHIN_MS })
}
