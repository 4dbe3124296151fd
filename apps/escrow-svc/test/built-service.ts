import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SERVICE = join(import.meta.dirname, '..')
const ROOT = join(SERVICE, '../..')
const MAIN = join(SERVICE, 'dist/main.js')
const BUILD_TIMEOUT_MS = 300_000

/** What the service is made of, for a look at whether its build is older. */
const SOURCES = ['apps/escrow-svc', 'libs/kernel', 'libs/contracts', 'libs/service-kit', 'libs/events', 'libs/timers']

/** The built service, as it is deployed; built here first when its sources are newer. @returns its entry */
export async function builtService(): Promise<string> {
  const built = await Promise.all(SOURCES.map(folder => newest(join(ROOT, folder, 'dist'), '.js')))
  const written = await Promise.all(SOURCES.map(folder => newest(join(ROOT, folder, 'src'), '.ts')))
  if (written.some((at, i) => at >= (built[i] ?? 0))) await build()
  return MAIN
}

/** As the launcher builds: without a pseudo terminal and without a daemon that would outlive us. */
async function build(): Promise<void> {
  const nx = join(ROOT, 'node_modules/nx/dist/bin/nx.js')
  await promisify(execFile)(process.execPath, [nx, 'run', '@holdfast/escrow-svc:build', '--outputStyle=static'], {
    cwd: ROOT,
    timeout: BUILD_TIMEOUT_MS,
    env: { ...process.env, NX_NATIVE_COMMAND_RUNNER: 'false', NX_DAEMON: 'false', FORCE_COLOR: '0', NODE_OPTIONS: '' },
  })
}

/** When the newest file of a folder was written; 0 when there is none. Tests are not part of a build. */
async function newest(folder: string, ending: string): Promise<number> {
  let at = 0
  for (const file of await readdir(folder, { recursive: true }).catch(() => [])) {
    if (!file.endsWith(ending) || file.includes('.spec.')) continue
    at = Math.max(at, (await stat(join(folder, file))).mtimeMs)
  }
  return at
}
