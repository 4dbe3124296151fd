import { setTimeout as sleep } from 'node:timers/promises'

const ANSWER_WITHIN_MS = 15_000
export const REPEAT_AFTER_MS = 250
/** Each pause is twice as long as the one before, up to this: requests at a fixed pace would keep a product down that has just come back. */
const REPEAT_AFTER_AT_MOST_MS = 5_000
/**
 * At most this many requests of a kind of load are under way. The others wait. Thousands that are repeated during an outage would keep this
 * process busy. The product's connections to its engines lead through it, so the outage would not end.
 */
export const AT_ONCE = 128
/** These say that the moment is wrong, and not the request. */
const REPEATED = new Set([408, 409, 425, 429])
/** Whether repeating a request cannot change its answer. */
const isFinal = ({ status }) => status !== null && status < 500 && !REPEATED.has(status)

/** Requests that are repeated until they succeed, as a browser and a payment provider do. */
export class RepeatedRequests {
  /**
   * Answers that no repetition can change.
   *
   * @type {string[]}
   */
  refusals = []
  /**
   * What an attempt met that was then repeated.
   *
   * @type {string[]}
   */
  failures = []
  #running = new Set()
  #underWay = 0
  /**
   * Continues the requests that wait for their turn, the oldest first.
   *
   * @type {((value?: unknown) => void)[]}
   */
  #waiting = []
  #isStopped = false

  /** Resolves when all work that was begun has ended; false when some has not within the time. */
  async finished(withinMs) {
    const done = Promise.all(this.#running).then(() => true)
    return Promise.race([done, sleep(withinMs, false, { ref: false })])
  }

  stop() {
    this.#isStopped = true
  }

  get isStopped() {
    return this.#isStopped
  }

  /** Waits for this work in `finished`. @param {Promise<void>} work */
  track(work) {
    const running = work.finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /**
   * Repeats a request until it succeeds, and answers its answer; null when it is refused for good, or when all of it is stopped.
   * @template {{ ok: boolean, status: number | null, text: string }} Answer
   * @param {string} name for `refusals`
   * @param {() => Promise<Answer>} attempt sends it once
   * @param {{ isDone?: (text: string) => boolean, isTooEarly?: (text: string) => boolean }} refusal whether a refusal says that it was done
   * before, and whether it says that it can be done later
   */
  async untilDone(name, attempt, { isDone = () => false, isTooEarly = () => false } = {}) {
    await this.#turn()
    try {
      for (let pauseMs = REPEAT_AFTER_MS; !this.#isStopped; pauseMs = Math.min(2 * pauseMs, REPEAT_AFTER_AT_MOST_MS)) {
        const answer = await attempt()
        if (answer.ok || isDone(answer.text)) return answer
        if (!isTooEarly(answer.text)) {
          const problem = `${name}: ${problemOf(answer)}`
          if (isFinal(answer)) {
            this.refusals.push(problem)
            return null
          }
          this.failures.push(problem)
        }
        await sleep(pauseMs * (0.5 + Math.random()))
      }
      return null
    } finally {
      this.#endTurn()
    }
  }

  async #turn() {
    if (this.#underWay === AT_ONCE) await new Promise(resolve => this.#waiting.push(resolve))
    else this.#underWay++
  }

  #endTurn() {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#underWay--
  }
}

/**
 * Sends requests, `perSecond` a second until `signal` aborts, each of them once. Answers how it went for each: `{ what, ms, problem }`, where
 * `problem` is null for an answer of success.
 * @param {{ perSecond: number, signal: AbortSignal }} pace
 * @param {(n: number) => { url: string, method: string, headers: Record<string, string>, body?: string }} requestOf the request number `n`
 */
export async function sendAtRate({ perSecond, signal }, requestOf) {
  const began = performance.now()
  const running = []
  for (let n = 0; !signal.aborted; n++) {
    const dueMs = (n / perSecond) * 1_000 - (performance.now() - began)
    if (dueMs > 0) await sleep(dueMs)
    running.push(timed(requestOf(n)))
  }
  return Promise.all(running)
}

async function timed(request) {
  const sentAt = performance.now()
  const answer = await send(request.url, request)
  const what = `${request.method} ${new URL(request.url).pathname}`
  return { what, ms: performance.now() - sentAt, problem: answer.ok ? null : problemOf(answer) }
}

/** What an attempt met. @param {{ status: number | null, text: string }} answer */
export const problemOf = ({ status, text }) => (status === null ? text : `${status} ${text.slice(0, 300)}`)

/**
 * Sends a request. Its `status` is null when there was no answer: nothing is known about it then, and `text` says what happened instead.
 * @param {string} url
 * @param {{ method?: string, headers?: Record<string, string>, body?: string, withinMs?: number }} request
 * @returns {Promise<{ ok: boolean, status: number | null, bytes: Buffer, text: string }>}
 */
export async function send(url, { method = 'POST', headers = {}, body, withinMs = ANSWER_WITHIN_MS }) {
  const request = { method, headers, body: body ?? null, signal: AbortSignal.timeout(withinMs) }
  const sentAt = performance.now()
  try {
    const answer = await fetch(url, request).catch(error => {
      if (!isStaleConnection(error)) throw error
      return fetch(url, request)
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    return { ok: answer.ok, status: answer.status, bytes, text: bytes.toString() }
  } catch (error) {
    if (error.name !== 'TypeError' && error.name !== 'TimeoutError') throw error
    const text = `no answer after ${Math.round(performance.now() - sentAt)} ms: ${(error.cause ?? error).message}`
    return { ok: false, status: null, bytes: Buffer.alloc(0), text }
  }
}

/**
 * Whether the server has closed a connection that had carried answers before. It may close an idle one in the moment in which a request is
 * sent on it. Browsers then send the request again, and so do the loads of the benchmark (`tools/bench/connection.js`).
 */
const isStaleConnection = ({ cause }) => cause?.code === 'UND_ERR_SOCKET' && cause.socket?.bytesRead > 0
