import { Interrupted } from './failure.js'
import { dim, say, sayFailure } from './output.js'
import { Processes } from './processes.js'
import { listenForStop } from './signals.js'
import { undoAll } from './undo.js'

/**
 * Runs `work` and ends this process afterwards: with the exit code it resolves to, 1 when it throws, 130 when it was
 * interrupted. The processes it started are stopped first; then the functions in `undo` are called. When one of them fails, 0 becomes 1.
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
  if (!(await undoAll(undo))) exitCode ||= 1
  process.exit(exitCode)
}
