import { setTimeout as sleep } from 'node:timers/promises'
import { BUYERS, LISTINGS, personIdOf, sessionCookie } from '../bench/prepare.js'

const ANSWER_WITHIN_MS = 15_000

/** A read of each service behind the gateway, for the user of this number. `dealId` is a deal of theirs. */
const READS = [
  ({ n }) => `/api/listings/${1 + (n % LISTINGS)}`,
  () => '/api/auth/user',
  ({ dealId }) => `/api/transactions/${dealId}/timeline`,
  ({ n }) => `/api/disputes/user/${personIdOf(n % BUYERS)}`,
  () => '/api/notifications/unread',
]

/**
 * Reads from every service in turn, `perSecond` times a second, until `signal` aborts. Answers how it went for each read:
 * `{ path, ms, problem }`, where `problem` is null for an answer with 200.
 */
export async function readAll({ baseUrl, firstDeal, perSecond }, signal) {
  const began = performance.now()
  const running = []
  for (let n = 0; !signal.aborted; n++) {
    const dueMs = (n / perSecond) * 1_000 - (performance.now() - began)
    if (dueMs > 0) await sleep(dueMs)
    // The buyer of a prepared deal is the one with the number of its id.
    const path = READS[n % READS.length]({ n: firstDeal + n, dealId: firstDeal + n })
    running.push(read(baseUrl, path, sessionCookie((firstDeal + n) % BUYERS)))
  }
  return Promise.all(running)
}

async function read(baseUrl, path, cookie) {
  const sentAt = performance.now()
  const problem = await fetch(baseUrl + path, {
    headers: { cookie },
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).then(
    async answer => {
      await answer.text()
      return answer.ok ? null : `${answer.status}`
    },
    error => error.message,
  )
  return { path, ms: performance.now() - sentAt, problem }
}
