import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const LOAD = fileURLToPath(new URL('./load.js', import.meta.url))

/**
 * Runs a load (`options.loop` is 'open' or 'closed') in a process of its own, on the same Node. Answers what closed-loop.js or
 * open-loop.js answers, and `cpuSeconds` of the load itself. For money commands, `accepted` and `funded` count the successes of
 * each kind. Throws when a request of a closed loop was refused, because its rate would mean nothing. An open loop counts its
 * errors.
 * @param {() => Promise<void>} [meanwhile] an open loop ends when this has ended
 */
export async function runLoad(options, meanwhile) {
  // JSON would turn the NaN of a load without answers into null, which counts as 0.
  const child = fork(LOAD, [JSON.stringify(options)], { serialization: 'advanced' })
  const ended = new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', code => reject(new Error(`the load ended with ${code} and no result`)))
  })
  if (meanwhile) {
    try {
      const isDone = await Promise.race([meanwhile().then(() => true), ended.then(() => false)])
      if (!isDone) throw new Error('the load ended before what was to happen meanwhile')
    } finally {
      if (child.connected) child.send('end')
    }
  }
  const result = await ended
  if (options.loop !== 'open' && result.refused > 0)
    throw new Error(`the load was refused ${result.refused} times; the first: ${result.firstProblem}`)
  return result
}
