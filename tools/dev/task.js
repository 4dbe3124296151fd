import readline from 'node:readline'
import { Failure, Interrupted } from './failure.js'

// npm prints the cause first, a compiler last: both ends of the output are kept.
const FIRST_LINES_KEPT = 12
const LAST_LINES_KEPT = 25

/**
 * Runs a command that does its work and ends, such as npm or a migration, and resolves when it succeeded. `onLine` gets its
 * output line by line. Throws a Failure with the sentence `failure` and the output, without noise, when it did not succeed;
 * Interrupted when the launcher is stopping.
 * @param {import('./processes.js').Processes} processes
 */
export async function runTask(processes, name, command, args, options) {
  const { onLine = () => {}, isNoise = () => false, failure, ...spawnOptions } = options
  const entry = processes.spawn(name, command, args, spawnOptions)
  const kept = []
  const keep = line => {
    if (line.trim() === '') return
    onLine(line)
    if (isNoise(line)) return
    kept.push(line)
    if (kept.length > FIRST_LINES_KEPT + LAST_LINES_KEPT) kept.splice(FIRST_LINES_KEPT, 1)
  }
  const read = [entry.child.stdout, entry.child.stderr].flatMap(stream => {
    if (!stream) return []
    const lines = readline.createInterface({ input: stream })
    lines.on('line', keep)
    return new Promise(resolve => lines.once('close', resolve))
  })
  const { code, error } = await entry.exited
  if (processes.closing) throw new Interrupted()
  if (error) throw new Failure(`${failure} (${command}: ${error.code})`)
  await Promise.all(read)
  if (code !== 0) throw new Failure(failure, kept)
}
