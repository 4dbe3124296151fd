import { setTimeout as sleep } from 'node:timers/promises'
import { measurePeak, moneyAtRate, warmUp } from '../bench/measure.js'
import { readSettings } from '../bench/settings.js'
import { startBenchedProduct } from '../bench/world.js'
import { phase } from '../dev/output.js'
import { restartInTurn } from './restarts.js'

const SHARE_OF_PEAK = 0.7
const RESTARTS_AT_MOST_SECONDS = 300
/** The load goes on for so long before the first restart, and after the last one. */
const CALM_MS = 5_000

/**
 * Starts the product with two replicas of each service, measures the peak of money commands, and then restarts every process in turn under 70 %
 * of it. Answers `{ peak, rate, restarts, load }`: commands a second, how many processes were restarted, and what the open loop of the benchmark
 * answers. The books are compared with the answers.
 * @param {import('../dev/processes.js').Processes} processes
 * @param {(() => void)[]} undo
 * @throws Failure when a process does not serve again
 */
export async function restartUnderLoad(processes, undo) {
  const settings = readSettings([], {})
  const world = await startBenchedProduct(processes, undo, { REPLICAS: '2' })
  await phase('Warming up', () => warmUp(world, settings))
  const { rate: peak } = await phase('Measuring the peak', () => measurePeak(world, settings))
  const rate = Math.round(SHARE_OF_PEAK * peak)
  let restarts = 0
  const load = await phase(`Restarting every process in turn at ${rate}/s`, note =>
    moneyAtRate(world, rate, RESTARTS_AT_MOST_SECONDS, async () => {
      await sleep(CALM_MS)
      await restartInTurn(world, name => {
        restarts++
        note(name)
      })
      await sleep(CALM_MS)
    }),
  )
  await world.stop()
  return { peak, rate, restarts, load }
}
