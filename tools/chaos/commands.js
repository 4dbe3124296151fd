import { setTimeout as sleep } from 'node:timers/promises'
import { BUYERS, sessionCookie } from '../bench/prepare.js'
import { fundingEvent, signatureOf } from '../bench/requests.js'
import { problemOf, RepeatedRequests, send } from './repeated-requests.js'

/** A command that takes longer than this, its repetitions included, is late: its user has given up. */
const PROMPT_MS = 10_000

/**
 * @typedef {object} Command
 * @property {number} id of the deal
 * @property {'accept' | 'fund'} kind
 * @property {number} beganAt
 * @property {number | null} acknowledgedAt
 * @property {number} attempts
 * @property {string | null} firstProblem
 */

/**
 * Sends money commands at a fixed rate, whatever becomes of earlier ones, and repeats each until it succeeds. The counts go on until `finished`
 * resolves.
 */
export class Commands extends RepeatedRequests {
  /**
   * Every command that was begun.
   *
   * @type {Command[]}
   */
  all = []

  constructor({ baseUrl, webhookSecret, deals }) {
    super()
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

  /**
   * The share of the commands from `first` to before `end` that were acknowledged within PROMPT_MS of their beginning. It is right when the last of
   * them has had this time.
   */
  promptShare(first, end = this.all.length) {
    const some = this.all.slice(first, end)
    const isPrompt = ({ beganAt, acknowledgedAt }) => acknowledgedAt !== null && acknowledgedAt - beganAt <= PROMPT_MS
    return some.filter(isPrompt).length / some.length
  }

  /** How many commands were acknowledged between two times of `performance.now()`. */
  acknowledgedBetween(from, to) {
    return this.all.filter(({ acknowledgedAt: at }) => at !== null && at >= from && at <= to).length
  }

  /** The ids of the deals whose command of a kind was acknowledged. */
  acknowledged(kind) {
    return this.all.filter(each => each.kind === kind && each.acknowledgedAt !== null).map(({ id }) => id)
  }

  #start(n) {
    /** @type {'accept' | 'fund'} */
    const kind = n % 2 === 0 ? 'accept' : 'fund'
    const id = (kind === 'accept' ? this.deals.toAccept : this.deals.toFund) + Math.floor(n / 2)
    const command = { id, kind, beganAt: performance.now(), acknowledgedAt: null, attempts: 0, firstProblem: null }
    this.all.push(command)
    this.track(this.#repeat(command))
  }

  async #repeat(command) {
    const request = command.kind === 'accept' ? this.#acceptance(command.id) : this.#payment(command.id)
    const done = await this.untilDone(`${command.kind} ${command.id}`, async () => {
      command.attempts++
      const answer = await request()
      if (!answer.ok) command.firstProblem ??= problemOf(answer)
      return answer
    })
    if (done) command.acknowledgedAt = performance.now()
  }

  #acceptance(id) {
    const headers = {
      cookie: sessionCookie(id % BUYERS),
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
