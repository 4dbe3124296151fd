import path from 'node:path'
import { packagesFor, readPackages, stalePackages } from './built.js'
import { ROOT } from './settings.js'
import { runTask } from './task.js'

const BUILD_PACKAGES = path.join(ROOT, 'tools/dev/build-packages.js')

/**
 * Builds what has changed since the last build: everything, or only these folders and what they need. Answers a note that says how
 * much that was.
 */
export async function build(processes, note, folders = []) {
  const packages = readPackages(ROOT)
  const wanted = packagesFor(packages, folders)
  const stale = stalePackages(ROOT, packages).filter(each => wanted.includes(each))
  if (stale.length === 0) return 'nothing changed'
  await runTask(processes, 'build', process.execPath, [BUILD_PACKAGES, ...folders], {
    cwd: ROOT,
    // NODE_OPTIONS meant for another program, such as a debugger's port, would reach the compilers.
    env: { ...process.env, NODE_OPTIONS: '', FORCE_COLOR: '0' },
    stopSignal: 'SIGKILL',
    failure: 'The build failed; this is what it printed:',
    onLine: note,
  })
  return `${stale.length} of ${wanted.length} packages`
}
