// `npm run bench`: how fast the product commits money commands and answers a listing, in relation to what the same PostgreSQL and
// the same framework do without it. `-- --quick` takes about a minute. `-- --deals 1000000` compares what is fast with so many deals with
// 10,000. `-- --telemetry` measures what traces cost. docs/performance.md explains all four.
import { phase, say } from '../dev/output.js'
import { session } from '../dev/session.js'
import { measureRound, measureTail, warmUp } from './measure.js'
import { errorLines, printReport, resultLines } from './report.js'
import { readSettings } from './settings.js'
import { compareSizes } from './size/main.js'
import { median } from './statistics.js'
import { measureTelemetry } from './telemetry.js'
import { tpcbBy } from './tpcb.js'
import { startWorld } from './world.js'

/** Answers the exit code: 1 when a request of the tail got no success. The aims are not all reached, so a missed one is only shown. */
async function benchmark(processes, undo, settings) {
  const world = await startWorld(processes, undo, settings)
  const first = await phase('Warming up', () => warmUp(world, settings))
  const rounds = []
  for (let round = 1; round <= settings.rounds; round++)
    rounds.push(await phase(`Round ${round} of ${settings.rounds}`, note => measureRound(world, settings, note)))
  const peak = median(rounds.map(round => round.uniform.rate))
  const tail = await phase('The tail, in an open loop', () => measureTail(world, settings, peak))
  await world.stop()
  printReport({ settings, tpcbBy, first, rounds, tail })
  for (const line of resultLines(rounds, tail)) process.stdout.write(`${line}\n`)
  const faults = errorLines('the tail', [tail])
  say(...faults)
  return faults.length === 0 ? 0 : 1
}

await session(async (processes, undo) => {
  const settings = readSettings(process.argv.slice(2), process.env)
  if ('deals' in settings) return compareSizes(processes, undo, settings)
  if (settings.telemetry) return measureTelemetry(processes, undo, settings)
  return benchmark(processes, undo, settings)
})
