import path from 'node:path'
import { ROOT } from './settings.js'
import { runTask } from './task.js'

const BUILDS_AT_ONCE = 3

/** Builds what changed since the last build, in order, from Nx's cache where it can. Answers a note on how much was built. */
export async function build(processes, note) {
  let built = 0
  let cached = 0
  await runTask(
    processes,
    'build',
    process.execPath,
    [
      path.join(ROOT, 'node_modules/nx/dist/bin/nx.js'),
      'run-many',
      '--targets=build',
      `--parallel=${BUILDS_AT_ONCE}`,
      '--outputStyle=static',
    ],
    {
      cwd: ROOT,
      // NODE_OPTIONS meant for another program, such as a debugger's port, would reach every compiler.
      // In a pseudo terminal the compilers would leave our process group, and a stop would not reach them.
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        NX_NATIVE_COMMAND_RUNNER: 'false',
        // Plugins run inside Nx's process: workers of their own would leave our process group and outlive a stop.
        NX_ISOLATE_PLUGINS: 'false',
        FORCE_COLOR: '0',
        NX_DAEMON: 'false',
      },
      stopSignal: 'SIGKILL',
      failure: 'The build failed; this is what it printed:',
      onLine: line => {
        if (!line.startsWith('> nx run ')) return
        built++
        if (/\[.*cache.*\]/.test(line)) cached++
        note(line.replace('> nx run @holdfast/', '').replace(/:build.*/, ''))
      },
    },
  )
  return cached === built ? 'nothing changed' : `${built - cached} of ${built} packages`
}
