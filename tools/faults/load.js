import { setTimeout as sleep } from 'node:timers/promises'
import { BUYERS, sessionToken } from '../bench/prepare.js'
import { fundingEvent, signatureOf } from '../bench/requests.js'

const ANSWER_WITHIN_MS = 15_000
/** How often each kind of request is sent. An alert on a ratio needs some of each. */
const EVERY_MS = { browse: 100, accept: 500, pay: 3_000, webhook: 1_000 }
/** How many deals a run of an hour uses up. */
export const DEALS = 8_000

/** A small steady load: pages, money commands, payments at the provider and its webhooks. It counts answers by kind and status. */
export class Load {
  #ended = new AbortController()
  #webhookSecret
  /** How often each kind got each status; `none` for no answer. */
  answers = {}

  /** @param {{ baseUrl: string, webhookSecret: string, deals: { toFund: number, toAccept: number, toPay: number } }} product */
  constructor({ baseUrl, webhookSecret, deals }) {
    this.origin = baseUrl
    this.deals = deals
    this.rightSecret = webhookSecret
    this.#webhookSecret = webhookSecret
  }

  start() {
    for (const kind of Object.keys(EVERY_MS)) void this.#repeat(kind)
  }

  stop() {
    this.#ended.abort()
  }

  /** The secret with which the provider signs from now on. */
  signWith(secret) {
    this.#webhookSecret = secret
  }

  async #repeat(kind) {
    for (let n = 0; !this.#ended.signal.aborted; n++) {
      void this.#send(kind, n)
      await sleep(EVERY_MS[kind], undefined, { signal: this.#ended.signal }).catch(() => {})
    }
  }

  async #send(kind, n) {
    const [path, method, headers, body] = this.#request(kind, n)
    const status = await fetch(`${this.origin}${path}`, {
      method,
      headers,
      body,
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    }).then(
      async answer => {
        await answer.arrayBuffer()
        return answer.status
      },
      () => 'none',
    )
    const of = this.answers[kind] ?? {}
    this.answers[kind] = { ...of, [status]: (of[status] ?? 0) + 1 }
  }

  #request(kind, n) {
    if (kind === 'browse') return [`/api/listings/${1 + ((n * 7919) % 10_000)}`, 'GET', {}]
    if (kind === 'webhook') {
      const body = fundingEvent(this.deals.toFund + n)
      const signed = { 'content-type': 'application/json', 'stripe-signature': signatureOf(body, this.#webhookSecret) }
      return ['/api/webhooks/stripe', 'POST', signed, body]
    }
    const id = (kind === 'accept' ? this.deals.toAccept : this.deals.toPay) + n
    const headers = {
      cookie: `holdfast_session=${sessionToken(id % BUYERS)}`,
      origin: this.origin,
      'idempotency-key': `faults-${id}`,
    }
    if (kind === 'accept') return [`/api/transactions/${id}/accept`, 'POST', headers]
    const body = JSON.stringify({ method: 'card' })
    return [`/api/transactions/${id}/payments`, 'POST', { ...headers, 'content-type': 'application/json' }, body]
  }
}
