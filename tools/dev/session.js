import { Interrupted } from './failure.js'
import { dim, say, sayFailure } from './output.js'
import { Processes } from './processes.js'
import { listenForStop } from './signals.js'

/**
 * Runs `work` and ends this process afterwards: with the exit code it resolves to, 1 when it throws, 130 when it was
 * interrupted. The processes it started are stopped first; then the functions in `undo` are called.
 * @param {(processes: Processes, undo: (() => void)[]) => Promise<number>} work
 */
export async function session(work) {
  const processes = new Processes()
  const stop = listenForStop({
    onFirst: () => say(dim('  Stopping.')),
    onSecond: () => say(dim('  Stopping at once.')),
  })
  const undo = []
  let exitCode = 1
  try {
    exitCode = await Promise.race([work(processes, undo), stop.interrupted])
  } catch (error) {
    if (error instanceof Interrupted) exitCode = 130
    else sayFailure(error)
  }
  await processes.close(stop.hurry)
  for (const step of undo.reverse()) await step()
  process.exit(exitCode)
}
