import { check, sleep } from 'k6'
import exec from 'k6/execution'
import http from 'k6/http'
import { Trend } from 'k6/metrics'
import { api, buyListing } from './api.js'
import { SHARES } from './scenarios.js'

/** From the provider's acceptance of the card until the transaction is paid, in milliseconds: a webhook lies between. */
const paidAfter = new Trend('paid_after', true)
const LOOK_EVERY_S = 0.2
const LOOKS = 50

const anyOf = list => list[Math.floor(Math.random() * list.length)]
/** The number of this iteration. No other of the same flow has it, also not one of the warm-up. */
const number = () => exec.scenario.iterationInTest + Number(__ENV.FIRST_NUMBER ?? 0)

/** A visitor looks at the start page, searches, and opens three listings. */
export function browse({ listings }) {
  api('GET', '/')
  api('GET', '/api/listings?limit=24', { name: '/api/listings' })
  api('GET', '/api/listings/facets')
  for (let i = 0; i < 3; i++) api('GET', `/api/listings/${anyOf(listings).id}`, { name: '/api/listings/{id}' })
}

/** A buyer opens a listing, buys it, pays by card, and looks until it is paid. Each listing is bought once. */
export function buy({ people, listings }) {
  const n = number()
  const listing = listings[n]
  if (!listing) return exec.test.abort('no listing is left to buy')
  const session = people[n % people.length]
  api('GET', `/api/listings/${listing.id}`, { name: '/api/listings/{id}' })
  const transaction = buyListing(session, listing, `load-buy-${listing.id}`)
  if (!transaction) return
  const path = `/api/transactions/${transaction.id}`
  api('GET', `${path}/quote`, { session, name: '/api/transactions/{id}/quote' })
  const payment = api('POST', `${path}/payments`, {
    session,
    name: '/api/transactions/{id}/payments',
    key: `load-pay-${transaction.id}`,
    body: { method: 'card' },
  })
  if (payment.status !== 201 || !payByCard(payment.json())) return
  const beganMs = Date.now()
  for (let look = 0; look < LOOKS; look++) {
    const { status, body } = api('GET', `${path}/payment`, { session, name: '/api/transactions/{id}/payment' })
    if (status === 200 && JSON.parse(String(body)).status === 'succeeded') {
      paidAfter.add(Date.now() - beganMs)
      return void check(null, { paid: () => true })
    }
    sleep(LOOK_EVERY_S)
  }
  check(null, { paid: () => false })
}

/** The browser's two steps at the provider: a payment method, and the confirmation. They do not count as requests of ours. */
/** @param {any} payment as the API answers it */
function payByCard({ providerUrl, publishableKey, clientSecret }) {
  const ask = (path, form) =>
    http.post(providerUrl + path, form, {
      headers: { authorization: `Bearer ${publishableKey}`, origin: __ENV.BASE_URL },
      tags: { name: 'provider' },
    })
  const method = ask('/v1/payment_methods', {
    type: 'card',
    'card[number]': '4242424242424242',
    'card[exp_month]': '12',
    'card[exp_year]': '2034',
    'card[cvc]': '123',
  })
  const [intent] = clientSecret.split('_secret_')
  const confirmed = ask(`/v1/payment_intents/${intent}/confirm`, {
    client_secret: clientSecret,
    payment_method: method.json('id'),
    return_url: __ENV.BASE_URL,
  })
  return check(confirmed, { 'the provider takes the card': ({ status }) => status === 200 })
}

/** A buyer writes into the chat of their transaction and reads it. */
export function chat({ chats }) {
  const n = number()
  // By chance and not by the number: in a mixed load only some numbers chat, so a few buyers would write all messages.
  const { session, transactionId } = anyOf(chats)
  const path = `/api/transactions/${transactionId}/messages`
  const name = '/api/transactions/{id}/messages'
  api('POST', path, { session, name, body: { content: `Is it still there? ${n}` } })
  api('GET', `${path}?limit=50`, { session, name })
}

/** One of the flows, each as often as in a mixed load. */
export function mixed(data) {
  const place = (number() % 10) / 10
  if (place < SHARES.browse) browse(data)
  else if (place < SHARES.browse + SHARES.buy) buy(data)
  else chat(data)
}
