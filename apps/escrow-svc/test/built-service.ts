import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SERVICE = join(import.meta.dirname, '..')
const ROOT = join(SERVICE, '../..')
const MAIN = join(SERVICE, 'dist/main.js')
const BUILD_TIMEOUT_MS = 300_000

/** Builds the service if its sources have changed since its last build. @returns the path of its entry file */
export async function builtService(): Promise<string> {
  const build = join(ROOT, 'tools/dev/build-packages.js')
  await promisify(execFile)(process.execPath, [build, 'apps/escrow-svc'], {
    cwd: ROOT,
    timeout: BUILD_TIMEOUT_MS,
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return MAIN
}
