import { setTimeout as sleep } from 'node:timers/promises'
import { isRepeatable } from '@holdfast/contracts/route'
import { transactionInternalRoutes } from '@holdfast/contracts/transaction-internal-routes'
import { userRoutes } from '@holdfast/contracts/users'
import { Failure } from '../dev/failure.js'
import { sendSignal } from '../dev/processes.js'
import { processNamed } from '../dev/product.js'
import { readAll } from './reads.js'
import { problemOf, send, sendAtRate } from './repeated-requests.js'

/** For how long each replica is paused, and how long the product rests before the next one. */
const PAUSED_MS = 2_500
const REST_MS = 1_000
const READS_PER_SECOND = 25
/** How many deals are opened, and how many people sign in, a second. */
const WRITES_PER_SECOND = 2
/** Nobody may wait for longer because one replica hangs, if the request is one that is sent again. */
const WAITED_AT_MOST_MS = 1_000

/**
 * Pauses one replica of each service behind the gateway, one after another, under a load of commands, reads, purchases that are only opened,
 * and sign-ins. Answers, for each service, the longest wait of what was begun meanwhile and what is wrong with it: `{ longest: { [service]: ms },
 * wrong: string[], others }`. Requests that their contract does not declare `repeatable` wait until the replica goes on. They are not judged:
 * `others` has their longest waits, what they were, how many there were and how many of them failed: `{ longest, kinds: string[], sent, failed }`.
 *
 * The gateway itself is left out: to a browser that is connected to a replica of it, nothing in between can answer.
 */
export async function pauseInTurn({ baseUrl, dataDir, ports }, { commands, purchases, deals }, note) {
  const signIn = await signInOfSomebody(baseUrl)
  const writes = [
    // The gateway opens a deal by this call.
    { route: transactionInternalRoutes.openTransaction, key: 'any', next: () => purchases.nextRequest() },
    { route: userRoutes.signIn, key: undefined, next: () => signIn },
  ]
  const longest = {}
  const wrong = []
  const others = { longest: {}, kinds: [], sent: 0, failed: 0 }
  for (const service of Object.keys(ports).filter(name => ports[name].replicas && name !== 'gateway')) {
    const name = `${service}-1`
    note(name)
    const over = new AbortController()
    const reading = readAll({ baseUrl, deals, perSecond: READS_PER_SECOND }, over.signal)
    const writing = writes.map(({ next }) => sendAtRate({ perSecond: WRITES_PER_SECOND, signal: over.signal }, next))
    const first = commands.all.length
    await sleep(REST_MS)
    await pauseFor(PAUSED_MS, processNamed(dataDir, name).pid)
    await sleep(REST_MS)
    over.abort()
    const waits = [...(await reading), ...commands.all.slice(first).map(waitOf)]
    const notRepeated = []
    for (const [n, sent] of (await Promise.all(writing)).entries())
      (isRepeatable(writes[n].route, writes[n].key) ? waits : notRepeated).push(...sent)
    longest[service] = longestOf(waits)
    wrong.push(...tooSlow(waits).map(what => `while ${name} hung, ${what}`))
    others.longest[service] = longestOf(notRepeated)
    others.kinds = [...new Set(notRepeated.map(({ what }) => what))]
    others.sent += notRepeated.length
    others.failed += notRepeated.filter(({ problem }) => problem !== null).length
  }
  return { longest, wrong, others }
}

async function pauseFor(ms, pid) {
  sendSignal(pid, 'SIGSTOP')
  await sleep(ms)
  sendSignal(pid, 'SIGCONT')
}

const waitOf = ({ kind, id, beganAt, acknowledgedAt, firstProblem }) => ({
  what: `${kind} ${id}`,
  ms: (acknowledgedAt ?? performance.now()) - beganAt,
  problem: firstProblem,
})

/** What is said about the requests that failed or took too long: the first three, and how many others. */
function tooSlow(waits) {
  const failed = waits.filter(({ ms, problem }) => problem !== null || ms > WAITED_AT_MOST_MS)
  const said = failed
    .slice(0, 3)
    .map(({ what, ms, problem }) => `${what} took ${Math.round(ms)} ms${problem === null ? '' : `: ${problem}`}`)
  return failed.length > 3 ? [...said, `${failed.length - 3} further requests were too slow or failed`] : said
}

const longestOf = waits => Math.round(Math.max(0, ...waits.map(({ ms }) => ms)))

/** Opens an account, and answers the request that signs in to it. @throws Failure when it is refused */
async function signInOfSomebody(baseUrl) {
  const headers = { origin: baseUrl, 'content-type': 'application/json' }
  const credentials = { email: 'chaos@bench.test', password: 'correct horse battery' }
  const names = { firstName: 'Chaos', lastName: 'Person', username: 'chaos' }
  const answer = await send(`${baseUrl}/api/auth/signup`, {
    headers,
    body: JSON.stringify({ ...credentials, ...names }),
  })
  if (!answer?.ok) throw new Failure(`Nobody could sign up: ${problemOf(answer)}`)
  return { url: `${baseUrl}/api/auth/signin`, method: 'POST', headers, body: JSON.stringify(credentials) }
}
