import os from 'node:os'
import { say } from '../dev/output.js'
import { processorLines } from './processor-time.js'
import { median } from './statistics.js'

/** The aim of each ratio. */
const AIMS = { money_commands_per_tpcb: 0.6, listing_get_per_bare: 1.2, hot_seller_per_uniform: 0.95 }
/** The aims of the tail: latencies in milliseconds, and the number of errors. */
const TAIL_AIMS = { p95: 50, p99: 150, errors: 0 }

const LOADS = {
  'TPC-B': round => round.tpcb,
  'money commands, many sellers': round => round.uniform,
  'money commands, one hot seller': round => round.hot,
  'the listing page, bare Nest handler': round => round.listingBare,
  'the listing page, through the gateway': round => round.listing,
}

/** The three ratios, with one value for each round. */
function ratiosOf(rounds) {
  return {
    money_commands_per_tpcb: rounds.map(round => round.uniform.rate / round.tpcb.rate),
    listing_get_per_bare: rounds.map(round => round.listing.rate / round.listingBare.rate),
    hot_seller_per_uniform: rounds.map(round => round.hot.rate / round.uniform.rate),
  }
}

/** The lines for machines: RATIO lines with the median of the rounds, and the TAIL line in milliseconds. */
export function resultLines(rounds, tail) {
  const ratios = Object.entries(ratiosOf(rounds)).map(
    ([name, values]) => `RATIO ${name} ${median(values).toFixed(2)} aim ${AIMS[name].toFixed(2)}`,
  )
  const { p95, p99, errors } = TAIL_AIMS
  const times = `p95 ${tail.p95.toFixed(1)} aim ${p95} p99 ${tail.p99.toFixed(1)} aim ${p99}`
  return [...ratios, `TAIL money_commands ${times} errors ${tail.errors} aim ${errors}`]
}

/** Lines that name the loads whose rate was not steady when the measurement began; none when all were. */
export function unsteadyLines(first, rounds) {
  const unsteady = rounds.flatMap((round, n) =>
    Object.entries(LOADS)
      .filter(([, pick]) => pick(round).warmUp?.steady === false)
      .map(([title, pick]) => `round ${n + 1}, ${title}, after ${pick(round).warmUp.seconds} s`),
  )
  const all = first.warmUp.steady ? unsteady : [`the first warm-up, after ${first.warmUp.seconds} s`, ...unsteady]
  return all.length === 0 ? [] : ['  measured before the rate was steady:', ...all.map(line => `    ${line}`)]
}

/** A line when requests of open loops got no success: how many in all, and the first problem. Otherwise none. */
export function errorLines(name, results) {
  const errors = results.reduce((sum, result) => sum + result.errors, 0)
  const { firstProblem } = results.find(result => result.firstProblem) ?? { firstProblem: 'no answer in time' }
  return errors === 0 ? [] : [`${errors} errors of ${name}: ${firstProblem.split('\r\n')[0]}`]
}

export function printReport({ settings, tpcbBy, first, rounds, tail }) {
  const { clients, seconds, accountsPerBranch, quick } = settings
  const [cpu] = os.cpus()
  const gigabytes = Math.round(os.totalmem() / 2 ** 30)
  say(
    '',
    `${os.cpus().length} × ${cpu?.model.trim()}, ${gigabytes} GB, ${os.type()} ${os.release()}, load ${os.loadavg()[0].toFixed(1)}`,
  )
  say(
    `Node ${process.versions.node} for the product and the load, TPC-B by ${tpcbBy}, ${clients} branches × ${accountsPerBranch} accounts`,
  )
  say(
    `${quick ? 'quick form, ' : ''}${clients} clients, ${seconds} s each, ${rounds.length} rounds; median (and p50/p99 in ms)`,
  )
  for (const [title, pick] of Object.entries(LOADS)) say(loadLine(title, rounds.map(pick)))
  say(
    `  the tail: ${Math.round(tail.rate)}/s in an open loop for ${settings.tailSeconds} s, ms: ` +
      `p50 ${tail.p50.toFixed(1)}, p95 ${tail.p95.toFixed(1)}, p99 ${tail.p99.toFixed(1)}, longest ${tail.longest.toFixed(1)}`,
  )
  const drains = rounds.flatMap(round => [round.uniform.drainSeconds, round.hot.drainSeconds])
  say(`  relay and consumers caught up ${median(drains).toFixed(1)} s after the load ended (${spread(drains)})`)
  for (const [name, values] of Object.entries(ratiosOf(rounds))) say(`  ${name}: ${spread(values)}`)
  say(...unsteadyLines(first, rounds), '')
  say(
    ...processorLines(
      'many sellers',
      rounds.map(round => round.uniform),
    ),
    '',
  )
  say(...processorLines('the tail', [tail]), '')
}

function loadLine(title, results) {
  const rate = Math.round(median(results.map(result => result.rate)))
  const times =
    results[0].p50 === undefined ? '' : ['p50', 'p99'].map(p => median(results.map(r => r[p])).toFixed(1)).join(' / ')
  return `  ${title.padEnd(38)} ${String(rate).padStart(7)}/s   ${times}`
}

const spread = values => `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`
