import { setTimeout as sleep } from 'node:timers/promises'
import { TOPOLOGY } from '../../dev/topology.js'
import { runLoad } from '../load-process.js'
import { moneyAtRate, warmUp } from '../measure.js'
import { callsOf } from './pages.js'
import { recordPlans } from './plans.js'

/** Every kind of periodic work has run once in this time: cleanups and measurements each minute, timers more often. */
const PLANS_SECONDS = 75
/** Rates at which the plans are recorded: the log of all plans is much to write. */
const PLANS_MONEY = 10
const PLANS_PAGES = 8

export const LOADS = {
  money: (world, { moneyRate, seconds }) => moneyAtRate(world, moneyRate, seconds),
  dashboard: (world, { pageRate, seconds }) => readPage(world, 'dashboard', pageRate, seconds),
  browse: (world, { pageRate, seconds }) => readPage(world, 'browse', pageRate, seconds),
}

function readPage({ gatewayPort: port, count }, page, rate, seconds) {
  return runLoad({ loop: 'open', page, port, count, rate, seconds, warmUpSeconds: 1 })
}

/** The first loads of new processes. They are not measured, because Node still compiles their code. */
export async function warm(world, settings) {
  await warmUp(world, { ...settings, firstWarmUpAtMostSeconds: settings.warmUpSeconds })
  for (const page of ['dashboard', 'browse']) await LOADS[page](world, settings)
}

/**
 * Measures each load in one world after the other, round by round, so that a disturbance of the machine affects both.
 * Answers for each load the rounds of both worlds: `{ money: { small: […], large: […] }, … }`.
 */
export async function measureBoth({ small, large }, settings, note) {
  /** @type {Record<string, { small: any[], large: any[] }>} */
  const results = Object.fromEntries(Object.keys(LOADS).map(name => [name, { small: [], large: [] }]))
  for (let round = 1; round <= settings.rounds; round++) {
    for (const [name, load] of Object.entries(LOADS)) {
      note(`round ${round} of ${settings.rounds}, ${name}`)
      results[name].small.push(await load(small, settings))
      results[name].large.push(await load(large, settings))
    }
  }
  return results
}

/** The plans of everything that the product does while it serves all of this and works in the background. */
export async function plansOf(world) {
  const end = await recordPlans(world)
  // The services replace their connections.
  await sleep(3_000)
  const until = performance.now() + PLANS_SECONDS * 1000
  await moneyAtRate(world, PLANS_MONEY, 5)
  for (const page of ['dashboard', 'browse']) await readPage(world, page, PLANS_PAGES, callsOf(page).length)
  while (performance.now() < until) {
    await scrape(world)
    await sleep(5_000)
  }
  return end()
}

/** What Prometheus does: some measurements read the database. */
async function scrape({ ports }) {
  for (const { opsPort } of TOPOLOGY.services.map(name => ports[name])) {
    const answer = await fetch(`http://127.0.0.1:${opsPort}/metrics`)
    if (!answer.ok) throw new Error(`no metrics: ${answer.status}`)
    await answer.text()
  }
}
