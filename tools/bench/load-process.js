import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LOAD = fileURLToPath(new URL('./load.js', import.meta.url))

/**
 * Runs a load (`options.loop` is 'open' or 'closed') in a process of its own, on the same Node, and answers what it measured:
 * what closed-loop.js or open-loop.js answers, `cpuSeconds` of the load itself, and for money commands how many of each kind
 * succeeded, `accepted` and `funded`. Throws when a closed loop was refused: its rate would mean nothing. An open loop counts
 * its errors.
 */
export async function runLoad(options) {
  const child = fork(LOAD, [JSON.stringify(options)])
  const result = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`the load ended with ${code} and no result`)))
  })
  if (options.loop !== 'open' && result.refused > 0)
    throw new Error(`the load was refused ${result.refused} times; the first: ${result.firstProblem}`)
  return result
}
