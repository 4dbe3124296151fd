import { setTimeout as sleep } from 'node:timers/promises'
import { runLoad } from '../load-process.js'
import { moneyAtRate, warmUp } from '../measure.js'
import { callsOf } from './pages.js'
import { recordPlans } from './plans.js'

/** Every kind of periodic work has run once in this time: cleanups and measurements each minute, timers more often. */
const PLANS_SECONDS = 75
/** Rates at which the plans are recorded: the log of all plans is much to write. */
const PLANS_MONEY = 10
const PLANS_PAGES = 8

/** The loads of one world, each at the same rate in every world. Latencies in milliseconds. */
export async function measureWorld(world, settings, note) {
  note('warming up')
  await warmUp(world, { ...settings, firstWarmUpAtMostSeconds: settings.warmUpSeconds })
  for (const page of ['dashboard', 'browse']) await readPage(world, page, settings.pageRate, 3)
  note('money commands')
  const money = await moneyAtRate(world, settings.moneyRate, settings.seconds)
  note('the dashboard')
  const dashboard = await readPage(world, 'dashboard', settings.pageRate, settings.seconds)
  note('browsing')
  const browse = await readPage(world, 'browse', settings.pageRate, settings.seconds)
  return { money, dashboard, browse }
}

function readPage({ gatewayPort: port, count }, page, rate, seconds) {
  return runLoad({ loop: 'open', page, port, count, rate, seconds, warmUpSeconds: 1 })
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
  for (const { opsPort } of Object.values(ports).filter(port => port.opsPort)) {
    const answer = await fetch(`http://127.0.0.1:${opsPort}/metrics`)
    if (!answer.ok) throw new Error(`no metrics: ${answer.status}`)
    await answer.text()
  }
}
