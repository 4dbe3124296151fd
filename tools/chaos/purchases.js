import { setTimeout as sleep } from 'node:timers/promises'
import { BUYERS, LISTINGS, sessionToken } from '../bench/prepare.js'
import { isFinal, REPEAT_AFTER_MS, send } from './commands.js'

const CARD = 'type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123'

/**
 * Buyers who buy a listing and pay by card, as a browser does: each step is repeated until it succeeds. Unlike those of `Commands`, these
 * payments exist at the provider.
 */
export class Purchases {
  /** The ids of the deals whose buyer has seen that they are paid. */
  paid = []
  /** Answers that no repetition can change. */
  refusals = []
  begun = 0
  #running = new Set()
  #stopped = false

  constructor({ baseUrl }) {
    this.origin = baseUrl
  }

  /** Begins `perSecond` purchases a second until `signal` aborts. */
  async begin(perSecond, signal) {
    while (!signal.aborted && this.begun < LISTINGS) {
      const run = this.#buy(++this.begun).finally(() => this.#running.delete(run))
      this.#running.add(run)
      await sleep(1_000 / perSecond, undefined, { signal }).catch(() => {})
    }
  }

  /** Resolves when every purchase has ended; false when some have not within the time. */
  async finished(withinMs) {
    const done = Promise.all(this.#running).then(() => true)
    return Promise.race([done, sleep(withinMs, false, { ref: false })])
  }

  stop() {
    this.#stopped = true
  }

  /** Buys a listing. Its seller is the person of its number, so the next one can buy it. */
  async #buy(listing) {
    const cookie = `holdfast_session=${sessionToken((listing + 1) % BUYERS)}`
    const ask = (method, path, body, key) => ({
      url: this.origin + path,
      method,
      headers: {
        ...{ cookie, origin: this.origin },
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      body: body && JSON.stringify(body),
    })
    const amount = ((10_000 + listing) / 100).toFixed(2)
    const deal = await this.#untilDone(
      ask('POST', '/api/transactions', { listingId: listing, amount }, `chaos-buy-${listing}`),
    )
    const path = `/api/transactions/${deal?.id}`
    const payment =
      deal && (await this.#untilDone(ask('POST', `${path}/payments`, { method: 'card' }, `chaos-pay-${listing}`)))
    if (!payment || !(await this.#payByCard(payment))) return
    while (!this.#stopped) {
      const seen = await this.#untilDone(ask('GET', `${path}/payment`))
      if (seen?.status === 'succeeded') return void this.paid.push(deal.id)
      if (!seen) return
      await sleep(REPEAT_AFTER_MS)
    }
  }

  /** The browser's two steps at the provider. A confirmation whose answer was lost is refused the next time, because it was done. */
  async #payByCard({ providerUrl, publishableKey, clientSecret }) {
    const [intent] = clientSecret.split('_secret_')
    const form = (path, body) => ({
      url: providerUrl + path,
      method: 'POST',
      headers: {
        authorization: `Bearer ${publishableKey}`,
        origin: this.origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body,
    })
    const method = await this.#untilDone(form('/v1/payment_methods', CARD))
    if (!method) return false
    const confirmation = new URLSearchParams({
      client_secret: clientSecret,
      payment_method: method.id,
      return_url: this.origin,
    })
    const confirmed = await this.#untilDone(form(`/v1/payment_intents/${intent}/confirm`, `${confirmation}`), text =>
      text.includes('payment_intent_unexpected_state'),
    )
    return confirmed !== null
  }

  /**
   * Repeats a request until it succeeds, and answers its JSON; null when it is refused for good, or when all of it is stopped.
   * @param {(text: string) => boolean} isDone whether a refusal says that it was done before
   */
  async #untilDone(request, isDone = () => false) {
    while (!this.#stopped) {
      const answer = await send(request.url, request)
      if (answer?.ok) return JSON.parse(answer.text)
      if (answer && isDone(answer.text)) return {}
      if (answer && isFinal(answer)) {
        this.refusals.push(`${request.method} ${request.url}: ${answer.status} ${answer.text.slice(0, 300)}`)
        return null
      }
      await sleep(REPEAT_AFTER_MS * (0.5 + Math.random()))
    }
    return null
  }
}
