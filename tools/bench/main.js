// `npm run bench`: how fast the product commits money and shows a listing, as ratios of what the same PostgreSQL and the
// same framework do without it, measured in one run. BENCH_ROUNDS (3) and BENCH_SECONDS (6) set how long it takes.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { phase, say } from '../dev/output.js'
import { reservePorts } from '../dev/ports.js'
import { startProduct } from '../dev/product.js'
import { loadSecrets } from '../dev/secrets.js'
import { session } from '../dev/session.js'
import { startBareListing } from './bare-listing-process.js'
import { cpuBetween, cpuSeconds } from './cpu.js'
import { drainSeconds } from './drain.js'
import { runLoad } from './load-process.js'
import { checkPaymentsAreTaken, prepareDeals, preparePeopleAndListings, settleTables } from './prepare.js'
import { median, printReport, ratiosOf } from './report.js'
import { prepareTpcb, runTpcb } from './tpcb.js'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6)
const CLIENTS = 64
// More deals than the fastest round can use: after that the load would measure refusals.
const DEALS_PER_SECOND = 3_000
const WARM_UP_SECONDS = 2
/** Before the first round: Node compiles the code of new processes while they serve. */
const FIRST_WARM_UP_SECONDS = 6

await session(async (processes, undo) => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'))
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const { ports, release } = await reservePorts(1)
  undo.push(release)
  const product = startProduct(processes, {
    env: { DATA_DIR: dataDir, PORT: String(ports.gateway.port) },
    args: ['--no-demo'],
    echo: text => process.stdout.write(text),
  })
  const ready = await product.ready
  const secrets = loadSecrets(dataDir)
  const server = { host: '127.0.0.1', port: ready.ports.postgres, user: 'postgres', password: secrets.postgresPassword }
  const database = new pg.Pool({ ...server, database: 'holdfast', max: 2 })
  const world = { database, dataDir, secrets, gateway: Number(new URL(ready.baseUrl).port), clients: CLIENTS }

  await phase('Preparing TPC-B', () => prepareTpcb(server, CLIENTS))
  await phase('Preparing people and listings', () => preparePeopleAndListings(database))
  const bare = await startBareListing(processes, { ...server, database: 'holdfast' })

  const warmUp = { seconds: FIRST_WARM_UP_SECONDS, warmUpSeconds: 0, clients: CLIENTS, hotSeller: false }
  await phase('Warming up', () => money(world, warmUp))

  const rounds = []
  for (let round = 1; round <= ROUNDS; round++)
    rounds.push(await phase(`Round ${round} of ${ROUNDS}`, note => measure(world, server, bare, note)))
  await database.end()
  await product.stop()
  printReport(rounds, { clients: CLIENTS, seconds: SECONDS })
  for (const [name, values] of Object.entries(ratiosOf(rounds))) say(`RATIO ${name} ${median(values).toFixed(2)}`)
  return 0
})

/** One round: every measurement in turn on the same server, so that a disturbance affects its neighbours, too. */
async function measure(world, server, bare, note) {
  const span = { seconds: SECONDS, warmUpSeconds: WARM_UP_SECONDS, clients: CLIENTS }
  note('TPC-B')
  const tpcb = await runTpcb(server, { clients: CLIENTS, seconds: SECONDS })
  note('money commands, many sellers')
  const uniform = await money(world, { ...span, hotSeller: false })
  note('money commands, one hot seller')
  const hot = await money(world, { ...span, hotSeller: true })
  note('the listing page, bare')
  const listingBare = await runLoad({ ...span, kind: 'listing', path: '/listings/', port: bare.port })
  note('the listing page, through the gateway')
  const listing = await runLoad({ ...span, kind: 'listing', path: '/api/listings/', port: world.gateway })
  return { tpcb, uniform, hot, listingBare, listing }
}

/** Half of the clients deliver signed funding webhooks, the other half accept: each request is one committed command. */
async function money(world, span) {
  const count = Math.ceil((span.seconds + span.warmUpSeconds + 1) * DEALS_PER_SECOND)
  const deals = await prepareDeals(world.database, { count, hotSeller: span.hotSeller })
  await settleTables(world.database)
  const before = await cpuSeconds(world.dataDir, world.database)
  const result = await runLoad({
    ...span,
    kind: 'money',
    port: world.gateway,
    deals,
    webhookSecret: world.secrets.stripeWebhookSecret,
  })
  const cpu = cpuBetween(before, await cpuSeconds(world.dataDir, world.database))
  await checkPaymentsAreTaken(world.database)
  return { ...result, cpu, drainSeconds: await drainSeconds(world.database) }
}
