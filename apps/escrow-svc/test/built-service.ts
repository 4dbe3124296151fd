import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SERVICE = join(import.meta.dirname, '..')
const ROOT = join(SERVICE, '../..')
const MAIN = join(SERVICE, 'dist/main.js')
const BUILD_TIMEOUT_MS = 300_000

/** The packages whose sources are newer than their build when the service must be built again. */
const SOURCES = ['apps/escrow-svc', 'libs/kernel', 'libs/contracts', 'libs/service-kit', 'libs/events', 'libs/timers']

/** Builds the service if its sources are newer than its build. @returns the path of its entry file */
export async function builtService(): Promise<string> {
  const built = await Promise.all(SOURCES.map(folder => newest(join(ROOT, folder, 'dist'), '.js')))
  const written = await Promise.all(SOURCES.map(folder => newest(join(ROOT, folder, 'src'), '.ts')))
  if (written.some((at, i) => at >= (built[i] ?? 0))) await build()
  return MAIN
}

/** Builds as the launcher does: without a pseudo terminal, and without a daemon that would outlive the test. */
async function build(): Promise<void> {
  const nx = join(ROOT, 'node_modules/nx/dist/bin/nx.js')
  await promisify(execFile)(process.execPath, [nx, 'run', '@holdfast/escrow-svc:build', '--outputStyle=static'], {
    cwd: ROOT,
    timeout: BUILD_TIMEOUT_MS,
    env: { ...process.env, NX_NATIVE_COMMAND_RUNNER: 'false', NX_DAEMON: 'false', FORCE_COLOR: '0', NODE_OPTIONS: '' },
  })
}

/** The time at which the newest file of a folder was written, in milliseconds; 0 without a file. Tests do not count. */
async function newest(folder: string, ending: string): Promise<number> {
  let at = 0
  for (const file of await readdir(folder, { recursive: true }).catch(() => [])) {
    if (!file.endsWith(ending) || file.includes('.spec.')) continue
    at = Math.max(at, (await stat(join(folder, file))).mtimeMs)
  }
  return at
}
