import { prepareDeals, preparePeopleAndListings, settleTables, signListings } from '../bench/prepare.js'
import { ownerUrl } from '../dev/environment.js'
import { Failure } from '../dev/failure.js'
import { phase, say } from '../dev/output.js'
import { ownerPool } from '../dev/owner-pool.js'
import { randomFrom } from '../dev/random.js'
import { waitUntilReady } from '../dev/readiness.js'
import { loadSecrets } from '../dev/secrets.js'
import { Commands } from './commands.js'
import { absentKinds, impossibleKinds, injectFaults } from './faults.js'
import { faultsOfMessages } from './messages.js'
import { pauseInTurn } from './pauses.js'
import { Purchases } from './purchases.js'
import { readAll } from './reads.js'
import { restartInTurn } from './restarts.js'
import { startScratchWorld } from './scratch-world.js'
import { faultsOfBooks, faultsOfDeals, LATE_SECONDS, watchDeadlines } from './verdict.js'

const CALM_SECONDS = 10
const PURCHASES_PER_SECOND = 2
/**
 * While processes restart in turn, besides the commands. Every process is new then, and its code is not compiled yet: a request takes several
 * times the processor time. With 25 reads and two purchases a second two processors were so busy that some payments took more than 15 s.
 */
const WHILE_RESTARTING = { readsPerSecond: 10, purchasesPerSecond: 1 }
/** How many of the requests that failed meanwhile are named. */
const SAID_AT_MOST = 3
/** How long commands may take to end after the last fault. */
const ENDED_WITHIN_MS = 180_000
const RESTARTS_AT_MOST_SECONDS = 120
const PAUSES_AT_MOST_SECONDS = 60
/** How many deals have a time limit that ends by itself meanwhile. */
const TIMED_DEALS = 100

/**
 * Starts the product in a scratch folder, runs it under a load, pauses a replica of each service in turn, restarts its processes in turn,
 * then injects faults, and compares its books and its messages with what the load was answered.
 * Answers `{ counts, commands, attempts, purchases, messages, deadlines, goodput, latest, wrong }`: the faults by kind, how many commands were
 * sent in how many attempts, how many deals were bought and paid at the provider, how many messages with a picture were sent, how many deals
 * ended by a deadline, which share of the commands succeeded in time while there were faults, divided by that without faults, how many seconds
 * a deal was past its deadline at most, and sentences about what is wrong.
 * @param {import('../dev/processes.js').Processes} processes
 * @param {(() => void)[]} undo
 * @param {{ seed: number, seconds: number, perSecond: number, kills?: number, replicas: number, goodput: number, distributed: boolean }} settings
 */
export async function runChaos(processes, undo, settings) {
  const { seed, seconds, perSecond, replicas, kills } = settings
  const world = await startScratchWorld(processes, undo, settings)
  const { baseUrl, dataDir, ports } = world
  const secrets = loadSecrets(dataDir)
  const url = ownerUrl({ secrets, ports })
  const database = ownerPool(world, 2)

  const rolling = replicas > 1 ? RESTARTS_AT_MOST_SECONDS + PAUSES_AT_MOST_SECONDS : 0
  const [deals, ending] = await phase('Preparing deals', async () => {
    await preparePeopleAndListings(database)
    await signListings(database)
    const made = await prepareDeals(database, {
      count: perSecond * (CALM_SECONDS + rolling + seconds),
      hotSeller: false,
    })
    const timed = await prepareDeals(database, { count: TIMED_DEALS, hotSeller: false })
    // Without statistics of so many rows, checking the books takes minutes.
    await settleTables(database)
    return [made, timed]
  })
  const before = await faultsOfBooks(processes, url)
  if (before.length > 0) throw new Error(`the books are wrong before any fault: ${before.join('\n')}`)

  const commands = new Commands({ baseUrl, webhookSecret: secrets.stripeWebhookSecret, deals })
  const purchases = new Purchases({ baseUrl })
  const wrong = []
  await phase('Commands without faults', () => commands.begin(perSecond, CALM_SECONDS))
  const calm = commands.all.length
  // With a single replica nobody serves while it restarts.
  if (replicas > 1) wrong.push(...(await oneReplicaAtATime(world, { commands, purchases, deals }, perSecond)))
  const firstWithFaults = commands.all.length
  const timed = await endWithin(database, ending, seconds)
  const [counts, latest] = await phase('Commands with faults', async note => {
    const over = new AbortController()
    const began = performance.now()
    const lateness = watchDeadlines(database, over.signal)
    const faults = injectFaults({ ...world, database }, randomFrom(seed), { signal: over.signal, kills }, note)
    const load = commands.begin(perSecond, seconds, over.signal)
    const buying = purchases.begin(PURCHASES_PER_SECOND, over.signal)
    // The faults end with the load, or with the last kill.
    const launcherEnded = await Promise.race([
      Promise.race([load, faults]).then(() => false),
      world.exited.then(() => true),
    ])
    over.abort()
    const overAt = performance.now()
    if (launcherEnded) throw new Failure('The launcher has ended: nothing starts the killed processes again.')
    await Promise.all([load, buying])
    // Also on a machine on which each command takes longer than goodput allows, some succeed.
    if (commands.acknowledgedBetween((began + overAt) / 2, overAt) === 0)
      wrong.push('no command succeeded in the second half of the faults')
    return Promise.all([faults, lateness])
  })

  wrong.push(...absentKinds(counts).map(kind => `there was no "${kind}", which is possible here`))
  const leftOut = impossibleKinds(counts)
  if (leftOut.length > 0) say(`  Left out, because it is not possible here: ${leftOut.join(', ')}`)
  await phase('Becoming ready again', note => waitUntilReady(baseUrl, note))
  // A run that ends with its last kill ends before some of the time limits.
  await database.query('UPDATE escrow.transaction SET due_at = now() WHERE id = ANY($1::bigint[]) AND due_at > now()', [
    timed,
  ])
  const ended = await phase('Ending the last commands', () =>
    Promise.all([commands.finished(ENDED_WITHIN_MS), purchases.finished(ENDED_WITHIN_MS)]),
  )
  commands.stop()
  purchases.stop()
  if (ended.includes(false))
    wrong.push(`some commands have not succeeded ${ENDED_WITHIN_MS / 1000} s after the last fault`)
  wrong.push(...commands.refusals, ...purchases.refusals)
  const kinds = {
    accepted: { entry: 'release', ids: commands.acknowledged('accept') },
    paid: { entry: 'charge', ids: commands.acknowledged('fund') },
    bought: { entry: 'charge', ids: purchases.paid },
    'ended by a deadline': { entry: 'release', ids: timed },
  }
  wrong.push(...(await phase('Comparing the effects', () => faultsOfDeals(database, kinds))))
  wrong.push(...(await phase('Reading the messages', () => faultsOfMessages(baseUrl, purchases.said))))
  wrong.push(...(await phase('Checking the books', () => faultsOfBooks(processes, url))))
  if (latest > LATE_SECONDS)
    wrong.push(`a deal was ${latest.toFixed(0)} s past its deadline, not at most ${LATE_SECONDS} s`)
  const goodput = commands.promptShare(firstWithFaults) / commands.promptShare(0, calm)
  if (!(100 * goodput >= settings.goodput))
    wrong.push(`goodput was ${(100 * goodput).toFixed(0)} % of the calm, not ${settings.goodput} %`)
  await database.end()
  await world.stop()
  const attempts = commands.all.reduce((sum, command) => sum + command.attempts, 0)
  const bought = { purchases: purchases.paid.length, messages: purchases.said.length }
  const done = { commands: commands.all.length, attempts, ...bought, deadlines: timed.length }
  return { counts, ...done, goodput, latest, wrong }
}

/**
 * Pauses one replica after another and then restarts them, under a load. Prints the longest waits, and answers sentences about what is
 * wrong.
 */
async function oneReplicaAtATime(world, { commands, purchases, deals }, perSecond) {
  /** Sends commands until the work is done, at most for so long, and waits until all of them have ended. */
  const underLoad = async (atMostSeconds, work) => {
    const over = new AbortController()
    const load = commands.begin(perSecond, atMostSeconds, over.signal)
    const result = await work()
    over.abort()
    await load
    await commands.finished(ENDED_WITHIN_MS)
    return result
  }
  const hung = await phase('Pausing a replica of each service in turn', note =>
    underLoad(PAUSES_AT_MOST_SECONDS, () => pauseInTurn(world, { commands, purchases, deals }, note)),
  )
  say(`  The longest wait while a replica hung, and before: ${listed(hung.longest)}`)

  const first = commands.all.length
  const over = new AbortController()
  const reading = () =>
    readAll({ baseUrl: world.baseUrl, deals, perSecond: WHILE_RESTARTING.readsPerSecond }, over.signal)
  const [reads] = await phase('Restarting every process in turn', note =>
    underLoad(RESTARTS_AT_MOST_SECONDS, async () => {
      const beside = Promise.all([reading(), purchases.begin(WHILE_RESTARTING.purchasesPerSecond, over.signal)])
      await restartInTurn(world, note)
      over.abort()
      return beside
    }),
  )
  await purchases.finished(ENDED_WITHIN_MS)
  const failedOnce = [
    ...commands.all
      .slice(first)
      .flatMap(({ kind, id, firstProblem }) => (firstProblem ? `${kind} ${id}: ${firstProblem}` : [])),
    ...reads.flatMap(({ what, problem }) => (problem ? `${what}: ${problem}` : [])),
    ...purchases.failures,
  ]
  if (failedOnce.length === 0) return hung.wrong
  const some = failedOnce.slice(0, SAID_AT_MOST).join('; ')
  return [...hung.wrong, `${failedOnce.length} requests failed while processes restarted in turn, such as ${some}`]
}

const listed = byService =>
  Object.entries(byService)
    .map(([service, { hungMs, beforeMs }]) => `${service} ${hungMs} ms (${beforeMs} ms)`)
    .join(', ')

/** Lets the inspection of these deals end within the next `seconds`, and answers their ids. */
async function endWithin(database, { toAccept, count }, seconds) {
  await database.query(
    `UPDATE escrow.transaction SET due_at = now() + random() * $3 * interval '1 second' WHERE id >= $1 AND id < $1 + $2`,
    [toAccept, count, seconds],
  )
  return Array.from({ length: count }, (_, n) => toAccept + n)
}
