import { BUYERS, LISTINGS, purchaseOf, sessionCookie } from '../bench/prepare.js'
import { fundingEvent, signatureOf } from '../bench/requests.js'
import { send } from '../chaos/repeated-requests.js'

const ANSWER_WITHIN_MS = 20_000
const TICK_MS = 1_000
/** A purchase creates a payment at the provider. */
const PURCHASE_EVERY_TICKS = 4
const READS_PER_TICK = 8

/**
 * A small load that goes on whatever becomes of its requests: alerts that compare errors with all requests need some. Each second people
 * read eight listings, one accepts an item, and one payment is reported by a signed webhook; every four seconds one buys an item.
 */
export class Load {
  /** How many answers had which status; `none` for no answer. */
  statuses = {}
  /** The secret that signs the webhooks. A fault replaces it. */
  webhookSecret
  #origin
  #deals
  #timer
  #ticks = 0
  #running = new Set()
  /** The first error of the load itself. What a request is answered is none. */
  #failure = null

  constructor({ baseUrl, webhookSecret, deals }) {
    this.#origin = baseUrl
    this.webhookSecret = webhookSecret
    this.#deals = deals
  }

  start() {
    this.#timer = setInterval(() => this.#run(this.#tick()), TICK_MS)
  }

  /** @throws the first error of the load itself, such as that no deal is left for it */
  check() {
    if (this.#failure !== null) throw this.#failure
  }

  /** Begins no further request, and resolves when those under way have ended. */
  async stop() {
    clearInterval(this.#timer)
    await Promise.all(this.#running)
  }

  async #tick() {
    const n = this.#ticks++
    if (n >= this.#deals.count) throw new Error('the load ran out of deals')
    for (let i = 0; i < READS_PER_TICK; i++) this.#run(this.#read(1 + ((n * READS_PER_TICK + i) % LISTINGS)))
    this.#run(this.#accept(this.#deals.toAccept + n))
    this.#run(this.#fund(this.#deals.toFund + n))
    if (n % PURCHASE_EVERY_TICKS === 0) this.#run(this.#buy(1 + ((n / PURCHASE_EVERY_TICKS) % LISTINGS)))
  }

  #run(work) {
    const running = work
      .catch(error => {
        this.#failure ??= error
      })
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  #read(id) {
    return this.#send('GET', `/api/listings/${id}`)
  }

  #accept(id) {
    return this.#send('POST', `/api/transactions/${id}/accept`, { person: id % BUYERS, key: `faults-${id}` })
  }

  #fund(id) {
    const body = fundingEvent(id)
    const headers = { 'stripe-signature': signatureOf(body, this.webhookSecret) }
    return this.#send('POST', '/api/webhooks/stripe', { body, headers })
  }

  async #buy(id) {
    const { buyer: person, amount } = purchaseOf(id)
    const body = JSON.stringify({ listingId: id, amount })
    const bought = await this.#send('POST', '/api/transactions', { person, key: `faults-buy-${id}`, body })
    if (bought === null) return
    const path = `/api/transactions/${bought.id}/payments`
    await this.#send('POST', path, { person, key: `faults-pay-${bought.id}`, body: JSON.stringify({ method: 'card' }) })
  }

  /**
   * The answer's JSON; null when it is no success or when there is none.
   *
   * @param {string} method
   * @param {string} path
   * @param {{ person?: number, key?: string, body?: string, headers?: Record<string, string> }} request
   */
  async #send(method, path, { person, key, body, headers = {} } = {}) {
    const all = {
      ...headers,
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
      ...(person !== undefined && { cookie: sessionCookie(person), origin: this.#origin }),
    }
    const answer = await send(this.#origin + path, {
      method,
      headers: all,
      ...(body && { body }),
      withinMs: ANSWER_WITHIN_MS,
    })
    this.#count(answer.status ?? 'none')
    return answer.ok ? JSON.parse(answer.text) : null
  }

  #count(status) {
    this.statuses[status] = (this.statuses[status] ?? 0) + 1
  }
}
