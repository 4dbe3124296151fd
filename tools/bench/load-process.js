import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LOAD = fileURLToPath(new URL('./load.js', import.meta.url))

/**
 * Runs a load in a process of its own: `{ rate, p50, p99, answered, cpuSeconds }`, the last two include the warm-up. Throws
 * when an answer was not a success.
 */
export async function runLoad(options) {
  const child = fork(LOAD, [JSON.stringify(options)])
  const result = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`the load ended with ${code} and no result`)))
  })
  if (result.bad > 0) throw new Error(`the load was refused ${result.bad} times; the first: ${result.firstBad}`)
  return result
}
