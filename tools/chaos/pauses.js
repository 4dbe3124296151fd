import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from '../dev/processes.js'
import { processNamed } from '../dev/product.js'
import { readAll } from './reads.js'
import { sendAtRate } from './repeated-requests.js'

/** For how long each replica is paused, for how long the same requests are sent before, and how long the product rests before the next one. */
const PAUSED_MS = 4_000
const MEASURED_BEFORE_MS = 3_000
const REST_MS = 1_000
const READS_PER_SECOND = 25
const OPENED_PER_SECOND = 1
/**
 * Nobody may wait for longer because one replica hangs, if the request is one that is sent again, as these are. Busy processors delay requests,
 * too, so the longest wait of the same requests while every replica runs is added to it.
 */
const WAITED_AT_MOST_MS = 1_000

/**
 * Pauses one replica of each service behind the gateway, one after another, under a load of commands, reads, and purchases that are only
 * opened. Answers, for each service, the longest waits of what was begun before that and meanwhile, and what is wrong:
 * `{ longest: { [service]: { beforeMs, hungMs } }, wrong: string[] }`.
 *
 * The gateway itself is left out: to a browser that is connected to a replica of it, nothing in between can answer.
 */
export async function pauseInTurn({ baseUrl, dataDir, ports }, load, note) {
  const longest = {}
  const wrong = []
  for (const service of Object.keys(ports).filter(name => ports[name].replicas && name !== 'gateway')) {
    const name = `${service}-1`
    note(name)
    const beforeMs = longestOf(await waitsDuring(() => sleep(MEASURED_BEFORE_MS), baseUrl, load))
    const waits = await waitsDuring(() => pauseFor(PAUSED_MS, processNamed(dataDir, name).pid), baseUrl, load)
    longest[service] = { beforeMs, hungMs: longestOf(waits) }
    wrong.push(...tooSlow(waits, beforeMs + WAITED_AT_MOST_MS).map(what => `while ${name} hung, ${what}`))
  }
  return { longest, wrong }
}

/** How long each request took that was begun while `happening` ran, or in the rest after it. */
async function waitsDuring(happening, baseUrl, { commands, purchases, deals }) {
  const over = new AbortController()
  const { signal } = over
  const first = commands.all.length
  const sending = [
    readAll({ baseUrl, deals, perSecond: READS_PER_SECOND }, signal),
    sendAtRate({ perSecond: OPENED_PER_SECOND, signal }, () => purchases.nextRequest()),
  ]
  await happening()
  await sleep(REST_MS)
  over.abort()
  return [...(await Promise.all(sending)).flat(), ...commands.all.slice(first).map(waitOf)]
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
function tooSlow(waits, atMostMs) {
  const failed = waits.filter(({ ms, problem }) => problem !== null || ms > atMostMs)
  const said = failed
    .slice(0, 3)
    .map(({ what, ms, problem }) => `${what} took ${Math.round(ms)} ms${problem === null ? '' : `: ${problem}`}`)
  return failed.length > 3 ? [...said, `${failed.length - 3} further requests were too slow or failed`] : said
}

const longestOf = waits => Math.round(Math.max(0, ...waits.map(({ ms }) => ms)))
