import { checkBooks } from './books.js'
import { cpuBetween, cpuSeconds } from './cpu.js'
import { drainSeconds } from './drain.js'
import { runLoad } from './load-process.js'
import { prepareDeals, settleTables } from './prepare.js'
import { runTpcb } from './tpcb.js'

/** Deals are prepared for this many commands a second before any rate is known, and then for `RESERVE` times the known rate. */
const FIRST_RATE = 3_500
const RESERVE = 3
const TAIL_WARM_UP_SECONDS = 3

/** The first load of a run. It is not measured, because Node still compiles the code of new processes. */
export const warmUp = (world, settings) =>
  closedMoney(world, settings, { seconds: 0, hotSeller: false, warmUpAtMostSeconds: settings.firstWarmUpAtMostSeconds })

/** The highest rate of money commands, after a warm-up. */
export const measurePeak = (world, settings) =>
  closedMoney(world, settings, {
    seconds: settings.seconds,
    warmUpAtMostSeconds: settings.warmUpAtMostSeconds,
    hotSeller: false,
  })

/** One round: every load in turn on the same server, so that a disturbance affects those that are compared. */
export async function measureRound(world, settings, note) {
  const span = { seconds: settings.seconds, warmUpAtMostSeconds: settings.warmUpAtMostSeconds }
  note('TPC-B')
  const tpcb = await runTpcb(world.server, settings)
  note('money commands, many sellers')
  const uniform = await measurePeak(world, settings)
  note('money commands, one hot seller')
  const hot = await closedMoney(world, settings, { ...span, hotSeller: true })
  const listings = { ...span, loop: 'closed', clients: settings.clients }
  note('the listing page, bare')
  const listingBare = await runLoad({ ...listings, path: '/listings/', port: world.barePort })
  note('the listing page, through the gateway')
  const listing = await runLoad({ ...listings, path: '/api/listings/', port: world.gatewayPort })
  return { tpcb, uniform, hot, listingBare, listing }
}

/** Money commands in an open loop, at a share of the peak rate. */
export const measureTail = (world, settings, peak) =>
  moneyAtRate(world, Math.round(peak * settings.tailShare), settings.tailSeconds)

/**
 * Money commands in an open loop, at a rate.
 * @param {() => Promise<void>} [meanwhile] the load ends when this has ended, and after `seconds` at the latest
 */
export function moneyAtRate(world, rate, seconds, meanwhile) {
  const options = { loop: 'open', rate, seconds, warmUpSeconds: TAIL_WARM_UP_SECONDS }
  return money(world, {
    ...options,
    hotSeller: false,
    mostCommands: 1.1 * rate * (seconds + TAIL_WARM_UP_SECONDS) + 100,
    meanwhile,
  })
}

async function closedMoney(world, { clients }, options) {
  const seconds = options.seconds + options.warmUpAtMostSeconds + 1
  const mostCommands = seconds * RESERVE * (world.moneyRate ?? FIRST_RATE / RESERVE)
  const result = await money(world, { ...options, loop: 'closed', clients, mostCommands })
  world.moneyRate = result.rate
  return result
}

/**
 * One load of money commands. `cpu` has the processor time in seconds by process. It is counted until the consumers have caught
 * up, so that all work of the commands is in it.
 */
async function money(world, { mostCommands, hotSeller, meanwhile, ...options }) {
  const { database, dataDir, webhookSecret, gatewayPort: port } = world
  const deals = await prepareDeals(database, { count: Math.ceil(mostCommands / 2), hotSeller })
  await settleTables(database)
  const before = await cpuSeconds(dataDir, database)
  const result = await runLoad({ ...options, port, deals, webhookSecret }, meanwhile)
  const drain = await drainSeconds(database)
  const cpu = cpuBetween(before, await cpuSeconds(dataDir, database))
  await checkBooks(database, deals, { ...result, unknown: result.errors ?? 0 })
  return { ...result, cpu, drainSeconds: drain }
}
