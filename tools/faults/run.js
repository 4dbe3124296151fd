import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { prepareDeals, preparePeopleAndListings } from '../bench/prepare.js'
import { ALERTS } from '../deploy/rules.js'
import { ownerUrl } from '../dev/environment.js'
import { Failure } from '../dev/failure.js'
import { phase, say } from '../dev/output.js'
import { startScratchEngines } from '../dev/scratch-engines.js'
import { startScratchProduct } from '../dev/scratch-product.js'
import { loadSecrets } from '../dev/secrets.js'
import { TOPOLOGY } from '../dev/topology.js'
import { until } from '../dev/wait.js'
import { serveCertificate } from './certificate.js'
import { mountDisk } from './disk.js'
import { startExporters } from './exporters.js'
import { DEALS, Load } from './load.js'
import { Prometheus, targetsOf } from './prometheus.js'
import { judge } from './verdict.js'

/** For so long no alert may be pending or fire before a fault. */
const CALM_MS = 45_000
/** After a fault the product may need this long until it is calm. */
const CALM_WITHIN_MS = 5 * 60_000
const FIRES_WITHIN_MS = 120_000
/** A wrong alert may come after the right one. */
const LOOK_ON_MS = 30_000
const LOOK_EVERY_MS = 1_000
/** These wait for an hour or a day, so they cannot fire meanwhile. A trend says nothing yet in a history of a minute. */
const SLOW = new Set(ALERTS.filter(rule => /[hd]$/.test(rule.for ?? '')).map(({ alert }) => alert))

/**
 * Starts the product under a small load, with a Prometheus, and injects the faults in turn. Prints a line for each. Answers how many raised
 * the right alert in time and no wrong one.
 * @param {import('../dev/processes.js').Processes} processes
 * @param {(() => void)[]} undo
 * @param {typeof import('./faults.js').FAULTS} faults
 */
export async function runFaults(processes, undo, faults) {
  const world = await makeWorld(processes, undo)
  let right = 0
  for (const fault of faults) {
    const outcome = await tryOut(world, fault)
    const { ok, line } = judge(fault, outcome)
    say(`  ${ok ? '✓' : '✗'} ${line}`)
    if (ok) right++
  }
  const kinds = Object.entries(world.load.answers).map(([kind, counts]) => `${kind} ${JSON.stringify(counts)}`)
  say('', `Answers of the load: ${kinds.join(', ')}`)
  world.load.stop()
  await world.database.end()
  return right
}

/** The product and all that a fault needs of it. */
async function makeWorld(processes, undo) {
  const engines = await startScratchEngines(processes, undo, 'faults')
  const product = await startScratchProduct(
    processes,
    undo,
    'faults',
    ['--no-demo', '--distributed'],
    engines.environment,
  )
  const { dataDir, ports } = product
  const secrets = loadSecrets(dataDir)
  const databaseUrl = ownerUrl({ secrets, ports })
  const database = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  const deals = await phase('Preparing people and deals', async () => {
    await preparePeopleAndListings(database)
    const { toFund, toAccept } = await prepareDeals(database, { count: DEALS, hotSeller: false })
    const { toFund: toPay } = await prepareDeals(database, { count: DEALS / 4, hotSeller: false })
    // Their buyers begin to pay themselves.
    await database.query('DELETE FROM escrow.payment WHERE transaction_id BETWEEN $1 AND $2', [
      toPay,
      toPay + DEALS / 4 - 1,
    ])
    return { toFund, toAccept, toPay }
  })
  const folder = path.join(dataDir, 'faults')
  fs.mkdirSync(folder)
  const certificate = await serveCertificate(folder)
  undo.push(certificate.stop)
  const disk = mountDisk(folder, undo)
  const { REDIS_URL: redisUrl, KAFKA_BROKERS: broker } = engines.environment
  const exporters = await phase('Starting exporters', () =>
    startExporters(processes, { folder, redisUrl, certificateUrl: certificate.url }),
  )
  const load = new Load({ baseUrl: product.baseUrl, webhookSecret: secrets.stripeWebhookSecret, deals })
  load.start()
  const targets = targetsOf(ports, TOPOLOGY.services)
  const prometheus = new Prometheus(processes, path.join(folder, 'prometheus'), targets)
  const untouchedDeal = deals.toAccept + DEALS - 1
  return {
    ...product,
    processes,
    folder,
    database,
    databaseUrl,
    certificate,
    disk,
    redisUrl,
    broker,
    exporters,
    load,
    prometheus,
    untouchedDeal,
  }
}

/** Injects a fault, and ends it. Answers `{ problem }`, or `{ firedAfterMs, others }`: null when it did not fire, and what else fired. */
async function tryOut(world, fault) {
  const { prometheus } = world
  await prometheus.start(world.exporters)
  try {
    const noise = await phase(`Calm before ${fault.name}`, note => waitForCalm(prometheus, note))
    if (noise !== null) return { problem: `it was not calm before: ${noise}` }
    const end = await fault.inject(world)
    try {
      return await phase(`Fault: ${fault.what}`, () => watch(prometheus, fault.alert))
    } finally {
      await end()
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { problem: error.message }
  } finally {
    await prometheus.stop()
  }
}

/** Waits until all is quiet for a while. Answers null, or what is not quiet when the time is over. */
async function waitForCalm(prometheus, note) {
  let since = performance.now()
  let noise = ''
  const calm = async () => {
    const pending = [...(await prometheus.alerts('pending'))].filter(name => !SLOW.has(name))
    const alerts = [...pending, ...(await prometheus.alerts('firing'))]
    noise = alerts.length > 0 ? alerts.join(', ') : (await prometheus.seesAll()) ? '' : 'a process is not scraped'
    note(noise)
    if (noise !== '') since = performance.now()
    return performance.now() - since > CALM_MS
  }
  return (await until(calm, { withinMs: CALM_WITHIN_MS, everyMs: LOOK_EVERY_MS })) ? null : noise
}

/** Looks at what fires, until the alert does and a little longer. */
async function watch(prometheus, alert) {
  const began = performance.now()
  const others = new Set()
  let firedAfterMs = null
  let endMs = FIRES_WITHIN_MS
  while (performance.now() - began < endMs) {
    for (const name of await prometheus.alerts('firing')) {
      if (name !== alert) others.add(name)
      else if (firedAfterMs === null) {
        firedAfterMs = performance.now() - began
        endMs = firedAfterMs + LOOK_ON_MS
      }
    }
    await sleep(LOOK_EVERY_MS)
  }
  return { firedAfterMs, others: [...others] }
}
