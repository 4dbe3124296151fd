import { setTimeout as sleep } from 'node:timers/promises'
import { LISTINGS, purchaseOf, sessionCookie } from '../bench/prepare.js'
import { messageAbout } from './messages.js'
import { REPEAT_AFTER_MS, RepeatedRequests, send } from './repeated-requests.js'

const CARD = 'type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2034&card[cvc]=123'

/**
 * Buyers who buy a listing, write to the seller, and pay by card. Each step is repeated until it succeeds. Unlike those of `Commands`, these
 * payments exist at the provider.
 */
export class Purchases extends RepeatedRequests {
  /** The ids of the deals whose buyer has seen that they are paid. */
  paid = []
  /** The messages with a picture that were acknowledged: `{ listing, dealId }`. */
  said = []
  #listings = 0

  constructor({ baseUrl }) {
    super()
    this.origin = baseUrl
  }

  /** Begins `perSecond` purchases a second until `signal` aborts. */
  async begin(perSecond, signal) {
    while (!signal.aborted && this.#listings < LISTINGS) {
      this.track(this.#buy(++this.#listings))
      await sleep(1_000 / perSecond, undefined, { signal }).catch(() => {})
    }
  }

  /** The request that buys the next listing, for a load of its own. The deal stays unpaid. */
  nextRequest() {
    return this.#opening(++this.#listings)
  }

  async #buy(listing) {
    const deal = await this.#ask(this.#opening(listing))
    if (!deal) return
    const path = `/api/transactions/${deal.id}`
    const message = this.#request(listing, 'POST', `${path}/messages`, messageAbout(listing), `chaos-say-${listing}`)
    // messaging-svc learns by an event that there is a deal.
    if (!(await this.#ask(message, { isTooEarly: text => text.includes('TRANSACTION_NOT_FOUND') }))) return
    this.said.push({ listing, dealId: deal.id })
    const payment = await this.#ask(
      this.#request(listing, 'POST', `${path}/payments`, { method: 'card' }, `chaos-pay-${listing}`),
    )
    if (!payment || !(await this.#payByCard(payment))) return
    while (!this.isStopped) {
      const seen = await this.#ask(this.#request(listing, 'GET', `${path}/payment`))
      if (seen?.status === 'succeeded') return void this.paid.push(deal.id)
      if (!seen) return
      await sleep(REPEAT_AFTER_MS)
    }
  }

  #opening(listing) {
    const { amount } = purchaseOf(listing)
    return this.#request(listing, 'POST', '/api/transactions', { listingId: listing, amount }, `chaos-buy-${listing}`)
  }

  /** A request of the buyer of a listing. */
  #request(listing, method, path, body, key) {
    return {
      url: this.origin + path,
      method,
      headers: {
        cookie: sessionCookie(purchaseOf(listing).buyer),
        origin: this.origin,
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      body: body && JSON.stringify(body),
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
    const method = await this.#ask(form('/v1/payment_methods', CARD))
    if (!method) return false
    const confirmation = new URLSearchParams({
      client_secret: clientSecret,
      payment_method: method.id,
      return_url: this.origin,
    })
    const confirmed = await this.#ask(form(`/v1/payment_intents/${intent}/confirm`, `${confirmation}`), {
      isDone: text => text.includes('payment_intent_unexpected_state'),
    })
    return confirmed !== null
  }

  /** Repeats a request until it is done. Answers its JSON; null as `untilDone` does. */
  async #ask(request, refusal) {
    const answer = await this.untilDone(`${request.method} ${request.url}`, () => send(request.url, request), refusal)
    if (!answer) return null
    return answer.ok ? JSON.parse(answer.text) : {}
  }
}
