import os from 'node:os'
import { say } from '../dev/output.js'
import { tpcbBy } from './tpcb.js'

/** A process that spends less is not named. */
const SMALL_US = 5

export const median = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
const spread = values => `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`

/** The three ratios, a value a round: each is taken between neighbours of the same round. */
export function ratiosOf(rounds) {
  return {
    money_commands_per_tpcb: rounds.map(round => round.uniform.rate / round.tpcb.rate),
    listing_get_per_bare: rounds.map(round => round.listing.rate / round.listingBare.rate),
    hot_seller_per_uniform: rounds.map(round => round.hot.rate / round.uniform.rate),
  }
}

export function printReport(rounds, { clients, seconds }) {
  const [cpu] = os.cpus()
  say('', `${os.cpus().length} × ${cpu?.model.trim()}, Node ${process.versions.node}, TPC-B by ${tpcbBy}`)
  say(`${clients} clients, ${seconds} s each, ${rounds.length} rounds; median (and p50/p99 in ms)`)
  const line = (title, pick) => {
    const results = rounds.map(pick)
    const rate = Math.round(median(results.map(result => result.rate)))
    const times =
      results[0].p50 === undefined ? '' : ['p50', 'p99'].map(p => median(results.map(r => r[p])).toFixed(1)).join(' / ')
    say(`  ${title.padEnd(38)} ${String(rate).padStart(7)}/s   ${times}`)
  }
  line('TPC-B', round => round.tpcb)
  line('money commands, many sellers', round => round.uniform)
  line('money commands, one hot seller', round => round.hot)
  line('the listing page, bare Nest handler', round => round.listingBare)
  line('the listing page, through the gateway', round => round.listing)
  const drains = rounds.flatMap(round => [round.uniform.drainSeconds, round.hot.drainSeconds])
  say(`  relay and consumers caught up ${median(drains).toFixed(1)} s after the load ended (${spread(drains)})`)
  for (const [name, values] of Object.entries(ratiosOf(rounds))) say(`  ${name}: ${spread(values)}`)
  printProcessors(rounds.map(round => round.uniform))
  say('')
}

/** Microseconds of processor time that each process spent on one money command, warm-up included; small ones together. */
function printProcessors(results) {
  const names = new Set(results.flatMap(({ cpu }) => Object.keys(cpu)))
  if (names.size === 0) return
  const perCommand = pick => median(results.map(result => (1e6 * (pick(result) ?? 0)) / result.answered))
  const costs = [...names].map(name => ({ name, us: perCommand(({ cpu }) => cpu[name]) }))
  costs.push({ name: 'the load itself', us: perCommand(result => result.cpuSeconds) })
  const all = costs.reduce((sum, { us }) => sum + us, 0)
  say('', `Processor time per money command, many sellers: ${all.toFixed(0)} µs`)
  const large = costs.filter(({ us }) => us >= SMALL_US).sort((a, b) => b.us - a.us)
  for (const { name, us } of large) say(`  ${name.padEnd(38)} ${us.toFixed(0).padStart(7)}`)
  const rest = all - large.reduce((sum, { us }) => sum + us, 0)
  say(`  ${'everything else'.padEnd(38)} ${rest.toFixed(0).padStart(7)}`)
}
