import { say } from '../../dev/output.js'
import { errorLines } from '../report.js'
import { isAbove, median } from '../statistics.js'
import { LOADS } from './measure.js'
import { callsOf } from './pages.js'

/** How much slower the large world may be. */
const AIM = 1.2

const medianP99 = rounds => median(rounds.map(({ p99 }) => p99))

/** A short disturbance changes the p99 of one round in one world, so single rounds are not compared. */
const ratioOf = (small, large) => medianP99(large) / medianP99(small)

/** The lines for machines. @param results what `measureBoth` answered */
export const ratioLines = results =>
  Object.keys(LOADS).map(name => {
    const { small, large } = results[name]
    return `RATIO p99_${name}_large_per_small ${ratioOf(small, large).toFixed(2)} aim ${AIM.toFixed(2)}`
  })

/**
 * What is wrong with the measurements, as lines: requests without a success, and loads that the large world slows down more than the aim
 * allows.
 * @param results what `measureBoth` answered
 */
export const resultFaults = results =>
  Object.entries(results).flatMap(([name, { small, large }]) => [
    ...errorLines(`${name} in the small world`, small),
    ...errorLines(`${name} in the large world`, large),
    ...(isAbove(ratioOf(small, large), AIM, 2) ? [`the ratio of the p99 of ${name} is above ${AIM}`] : []),
  ])

export function printReport(results, { smallCount, deals, rounds, seconds }) {
  say('', `Latencies in ms, p50 / p99, at ${smallCount} and at ${deals} deals, and the ratio of p99`)
  say(`medians of ${rounds} rounds of ${seconds} s, in turn; then the ratio of each round`)
  for (const [name, { small, large }] of Object.entries(results)) {
    say(row(name, small, large))
    for (const [n, call] of (name === 'money' ? [] : callsOf(name)).entries()) {
      const own = rounds => rounds.map(({ byMaker }) => byMaker[n])
      say(row(`  ${call}`, own(small), own(large)))
    }
  }
  say(...processorLine(results.money))
}

/** Processor time does not depend on what else the machine does, as latencies do. None where the system does not measure it. */
function processorLine({ small, large }) {
  const perCommand = rounds =>
    median(
      rounds.map(({ cpu, answered }) => (1e6 * Object.values(cpu).reduce((sum, each) => sum + each, 0)) / answered),
    )
  const [before, after] = [perCommand(small), perCommand(large)]
  return before === 0
    ? []
    : [
        `Processor time of a money command: ${Math.round(before)} and ${Math.round(after)} µs, ${(after / before).toFixed(2)}`,
      ]
}

function row(name, small, large) {
  const each = large.map(({ p99 }, round) => (p99 / small[round].p99).toFixed(2)).join(' ')
  return `  ${name.padEnd(28)} ${pair(small)}   ${pair(large)}   ${ratioOf(small, large).toFixed(2).padStart(5)}   ${each}`
}
const pair = rounds =>
  ['p50', 'p99']
    .map(p =>
      median(rounds.map(round => round[p]))
        .toFixed(1)
        .padStart(6),
    )
    .join(' / ')
