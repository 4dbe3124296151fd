import { setTimeout as sleep } from 'node:timers/promises'
import { BUYERS, sessionToken } from '../bench/prepare.js'
import { fundingEvent, signatureOf } from '../bench/requests.js'

const ANSWER_WITHIN_MS = 15_000
export const REPEAT_AFTER_MS = 250
/** These say that the moment is wrong, and not the command. */
const REPEATED = new Set([408, 409, 425, 429])
/** Whether repeating a request cannot change its answer. */
export const isFinal = ({ status }) => status < 500 && !REPEATED.has(status)

/**
 * Sends money commands at a fixed rate, whatever becomes of earlier ones, and repeats each until it succeeds, as a browser and a payment
 * provider do. The counts go on until `finished` resolves.
 */
export class Commands {
  /** Every command that was begun: `{ id, kind, beganAt, acknowledgedAt, attempts, firstProblem }`. */
  all = []
  /** Answers that no repetition can change. */
  refusals = []
  #running = new Set()
  #stopped = false

  constructor({ baseUrl, webhookSecret, deals }) {
    this.origin = baseUrl
    this.webhookSecret = webhookSecret
    this.deals = deals
  }

  /** Begins `perSecond` commands a second for `seconds`, or until `signal` aborts, half of them acceptances and half payments. */
  async begin(perSecond, seconds, signal) {
    const began = performance.now()
    const count = Math.round(perSecond * seconds)
    const first = this.all.length
    for (let n = 0; n < count && !signal?.aborted; n++) {
      const dueMs = (n / perSecond) * 1_000 - (performance.now() - began)
      if (dueMs > 0) await sleep(dueMs)
      this.#start(first + n)
    }
  }

  /** Resolves when every command has ended; false when some have not within the time. */
  async finished(withinMs) {
    const done = Promise.all(this.#running).then(() => true)
    return Promise.race([done, sleep(withinMs, false, { ref: false })])
  }

  stop() {
    this.#stopped = true
  }

  /** The share of the commands from the `first` on that has been acknowledged. */
  acknowledgedShare(first) {
    const some = this.all.slice(first)
    return some.filter(({ acknowledgedAt }) => acknowledgedAt !== null).length / some.length
  }

  /** The ids of the deals whose command of a kind was acknowledged. */
  acknowledged(kind) {
    return this.all.filter(each => each.kind === kind && each.acknowledgedAt !== null).map(({ id }) => id)
  }

  #start(n) {
    const kind = n % 2 === 0 ? 'accept' : 'fund'
    const id = (kind === 'accept' ? this.deals.toAccept : this.deals.toFund) + Math.floor(n / 2)
    const command = { id, kind, beganAt: performance.now(), acknowledgedAt: null, attempts: 0, firstProblem: null }
    this.all.push(command)
    const run = this.#repeat(command).finally(() => this.#running.delete(run))
    this.#running.add(run)
  }

  async #repeat(command) {
    const request = command.kind === 'accept' ? this.#acceptance(command.id) : this.#payment(command.id)
    while (!this.#stopped) {
      command.attempts++
      const answer = await request()
      if (answer?.ok) {
        command.acknowledgedAt = performance.now()
        return
      }
      command.firstProblem ??= answer ? `${answer.status} ${answer.text.slice(0, 200)}` : 'no answer'
      if (answer && isFinal(answer)) {
        this.refusals.push(`${command.kind} ${command.id}: ${answer.status} ${answer.text.slice(0, 300)}`)
        return
      }
      await sleep(REPEAT_AFTER_MS * (0.5 + Math.random()))
    }
  }

  #acceptance(id) {
    const headers = {
      cookie: `holdfast_session=${sessionToken(id % BUYERS)}`,
      origin: this.origin,
      'idempotency-key': `chaos-${id}`,
    }
    return () => send(`${this.origin}/api/transactions/${id}/accept`, { headers })
  }

  #payment(id) {
    const body = fundingEvent(id)
    return () => {
      const headers = { 'content-type': 'application/json', 'stripe-signature': signatureOf(body, this.webhookSecret) }
      return send(`${this.origin}/api/webhooks/stripe`, { headers, body })
    }
  }
}

/** Sends a request. Null when there was no answer: nothing is known about it then. */
export async function send(url, { method = 'POST', headers, body }) {
  try {
    const answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    return { ok: answer.ok, status: answer.status, text: await answer.text() }
  } catch (error) {
    if (error.name === 'TypeError' || error.name === 'TimeoutError') return null
    throw error
  }
}
