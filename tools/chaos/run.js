import pg from 'pg'
import { prepareDeals, preparePeopleAndListings } from '../bench/prepare.js'
import { startScratchEngines } from '../dev/distributed.js'
import { ownerUrl } from '../dev/environment.js'
import { phase } from '../dev/output.js'
import { waitUntilReady } from '../dev/readiness.js'
import { startScratchProduct } from '../dev/scratch-product.js'
import { loadSecrets } from '../dev/secrets.js'
import { Commands } from './commands.js'
import { injectFaults } from './faults.js'
import { randomFrom } from './random.js'
import { restartInTurn } from './restarts.js'
import { faultsOfBooks, faultsOfDeals } from './verdict.js'

const CALM_SECONDS = 10
/** How long commands may take to end after the last fault. */
const ENDED_WITHIN_MS = 180_000
const RESTARTS_AT_MOST_SECONDS = 120
/** How many deals have a time limit that ends by itself meanwhile. */
const TIMED_DEALS = 100

/**
 * Starts the product in a scratch folder, runs it under a load, restarts its processes in turn, then injects faults, and compares its books
 * with what the load was answered.
 * Answers `{ counts, commands, attempts, deadlines, goodput, wrong }`: the faults by kind, how many commands were sent in how many
 * attempts, how many deals ended by a deadline, which share of the commands succeeded while there were faults, and sentences about what is
 * wrong.
 * @param {import('../dev/processes.js').Processes} processes
 * @param {(() => void)[]} undo
 * @param {{ seed: number, seconds: number, perSecond: number, replicas: number, goodput: number, distributed: boolean }} settings
 */
export async function runChaos(processes, undo, settings) {
  const { seed, seconds, perSecond, replicas } = settings
  const engines = settings.distributed ? await startScratchEngines(processes, undo, 'chaos') : NO_ENGINES
  const env = { REPLICAS: String(replicas), ...engines.environment }
  const args = settings.distributed ? ['--no-demo', '--distributed'] : ['--no-demo']
  const product = await startScratchProduct(processes, undo, 'chaos', args, env)
  const { baseUrl, dataDir, ports } = product
  const secrets = loadSecrets(dataDir)
  const url = ownerUrl({ secrets, ports })
  const database = new pg.Pool({ connectionString: url, max: 2 })
  // PostgreSQL is killed, too. The pool then opens another connection.
  database.on('error', () => {})

  const whole = CALM_SECONDS + RESTARTS_AT_MOST_SECONDS + seconds
  const [deals, ending] = await phase('Preparing deals', async () => {
    await preparePeopleAndListings(database)
    const made = await prepareDeals(database, { count: perSecond * whole, hotSeller: false })
    return [made, await prepareDeals(database, { count: TIMED_DEALS, hotSeller: false })]
  })
  const before = await faultsOfBooks(processes, url)
  if (before.length > 0) throw new Error(`the books are wrong before any fault: ${before.join('\n')}`)

  const commands = new Commands({ baseUrl, webhookSecret: secrets.stripeWebhookSecret, deals })
  await phase('Commands without faults', () => commands.begin(perSecond, CALM_SECONDS))
  const wrong = []
  // With a single replica nobody serves while it restarts.
  if (replicas > 1) {
    const first = commands.all.length
    await phase('Restarting every process in turn', async note => {
      const over = new AbortController()
      const load = commands.begin(perSecond, RESTARTS_AT_MOST_SECONDS, over.signal)
      await restartInTurn(product, note)
      over.abort()
      await load
      await commands.finished(ENDED_WITHIN_MS)
    })
    const failed = commands.all.slice(first).filter(({ attempts }) => attempts > 1)
    if (failed.length > 0)
      wrong.push(
        `${failed.length} commands failed once while processes restarted in turn; the first: ${failed[0].firstProblem}`,
      )
  }
  const calm = commands.all.length
  const timed = await endWithin(database, ending, seconds)
  const [counts, goodput] = await phase('Commands with faults', async note => {
    const over = new AbortController()
    const hurt = { dataDir, database, engines: engines.started, redisUrl: env.REDIS_URL }
    const faults = injectFaults(hurt, randomFrom(seed), over.signal, note)
    await commands.begin(perSecond, seconds)
    over.abort()
    const share = commands.acknowledgedShare(calm)
    return [await faults, share]
  })

  await phase('Becoming ready again', note => waitUntilReady(baseUrl, note))
  const ended = await phase('Ending the last commands', () => commands.finished(ENDED_WITHIN_MS))
  commands.stop()
  if (!ended) wrong.push(`some commands have not succeeded ${ENDED_WITHIN_MS / 1000} s after the last fault`)
  wrong.push(...commands.refusals)
  const kinds = {
    accepted: { entry: 'release', ids: commands.acknowledged('accept') },
    paid: { entry: 'charge', ids: commands.acknowledged('fund') },
    'ended by a deadline': { entry: 'release', ids: timed },
  }
  wrong.push(...(await phase('Comparing the effects', () => faultsOfDeals(database, kinds))))
  wrong.push(...(await phase('Checking the books', () => faultsOfBooks(processes, url))))
  if (100 * goodput < settings.goodput)
    wrong.push(
      `${(100 * goodput).toFixed(0)} % of the commands succeeded while there were faults, not ${settings.goodput} %`,
    )
  await database.end()
  await product.stop()
  const attempts = commands.all.reduce((sum, command) => sum + command.attempts, 0)
  return { counts, commands: commands.all.length, attempts, deadlines: timed.length, goodput, wrong }
}

const NO_ENGINES = { environment: {}, started: {} }

/** Lets the inspection of these deals end within the next `seconds`, and answers their ids. */
async function endWithin(database, { toAccept, count }, seconds) {
  await database.query(
    `UPDATE escrow.transaction SET due_at = now() + random() * $3 * interval '1 second' WHERE id >= $1 AND id < $1 + $2`,
    [toAccept, count, seconds],
  )
  return Array.from({ length: count }, (_, n) => toAccept + n)
}
