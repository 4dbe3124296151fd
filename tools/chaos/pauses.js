import { setTimeout as sleep } from 'node:timers/promises'
import { sendSignal } from '../dev/processes.js'
import { processNamed } from '../dev/product.js'
import { readAll } from './reads.js'

/** For how long each replica is paused, and how long the product rests before the next one. */
const PAUSED_MS = 2_500
const REST_MS = 1_000
const READS_PER_SECOND = 25
/** Nobody may wait for longer because one replica hangs. */
export const WAITED_AT_MOST_MS = 1_000

/**
 * Pauses one replica of each service behind the gateway, one after another, under a load of commands and reads. Answers, for each
 * service, the longest wait of a command and of a read that was begun meanwhile, and what is wrong with them:
 * `{ longest: { [service]: ms }, wrong: string[] }`.
 *
 * The gateway itself is left out: to a browser that is connected to a replica of it, nothing in between can answer.
 */
export async function pauseInTurn({ baseUrl, dataDir, ports }, commands, firstDeal, note) {
  const longest = {}
  const wrong = []
  for (const service of Object.keys(ports).filter(name => ports[name].replicas && name !== 'gateway')) {
    const name = `${service}-1`
    note(name)
    const over = new AbortController()
    const reading = readAll({ baseUrl, firstDeal, perSecond: READS_PER_SECOND }, over.signal)
    const first = commands.all.length
    await sleep(REST_MS)
    const { pid } = processNamed(dataDir, name)
    sendSignal(pid, 'SIGSTOP')
    await sleep(PAUSED_MS)
    sendSignal(pid, 'SIGCONT')
    await sleep(REST_MS)
    over.abort()
    const waits = [
      ...(await reading).map(({ path, ms, problem }) => ({ what: `GET ${path}`, ms, problem })),
      ...commands.all.slice(first).map(({ kind, id, beganAt, acknowledgedAt, firstProblem }) => ({
        what: `${kind} ${id}`,
        ms: (acknowledgedAt ?? performance.now()) - beganAt,
        problem: firstProblem,
      })),
    ]
    longest[service] = Math.round(Math.max(...waits.map(({ ms }) => ms)))
    const failed = waits.filter(({ ms, problem }) => problem !== null || ms > WAITED_AT_MOST_MS)
    for (const { what, ms, problem } of failed.slice(0, 3))
      wrong.push(`while ${name} hung, ${what} took ${Math.round(ms)} ms${problem === null ? '' : `: ${problem}`}`)
    if (failed.length > 3)
      wrong.push(`while ${name} hung, ${failed.length - 3} further requests were too slow or failed`)
  }
  return { longest, wrong }
}
