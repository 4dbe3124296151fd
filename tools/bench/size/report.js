import { say } from '../../dev/output.js'
import { callsOf } from './pages.js'

/** How much slower the large world may be. */
export const AIM = 1.2
const LOADS = ['money', 'dashboard', 'browse']

/** The lines for machines. `small` and `large` are what `measureWorld` answered. */
export const ratioLines = (small, large) =>
  LOADS.map(
    load => `RATIO p99_${load}_large_per_small ${(large[load].p99 / small[load].p99).toFixed(2)} aim ${AIM.toFixed(2)}`,
  )

export function printReport({ small, large }) {
  say('', `Latencies in ms: p50 / p99 at ${small.count} and at ${large.count} deals, and the ratio of p99`)
  for (const load of LOADS) {
    say(row(load, small[load], large[load]))
    const [before, after] = [small[load].byMaker, large[load].byMaker]
    if (load === 'money') continue
    for (const [n, call] of callsOf(load).entries()) say(row(`  ${call}`, before[n], after[n]))
  }
  for (const [world, loads] of [
    ['small', small],
    ['large', large],
  ])
    for (const load of LOADS)
      if (loads[load].errors > 0)
        say(`  ${loads[load].errors} errors of ${load} in the ${world} world: ${loads[load].firstProblem}`)
}

const row = (name, before, after) =>
  `  ${name.padEnd(32)} ${pair(before)}   ${pair(after)}   ${(after.p99 / before.p99).toFixed(2).padStart(6)}`
const pair = ({ p50, p99 }) => [p50, p99].map(value => value.toFixed(1).padStart(7)).join(' / ')
