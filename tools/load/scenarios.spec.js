// Runs every scenario in Node, without k6: `k6.engines.spec.js` runs k6. Stand-ins for its modules compare each request with the contracts of
// the product's routes, and answer what these allow.
import { listingRoutes } from '@holdfast/contracts/listings'
import { messageRoutes } from '@holdfast/contracts/messages'
import { pages } from '@holdfast/contracts/pages'
import { paymentRoutes } from '@holdfast/contracts/payments'
import { sessionCookieName } from '@holdfast/contracts/session-cookie'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { userRoutes } from '@holdfast/contracts/users'
import { nextLink } from '@holdfast/service-kit/http/next-link'
import { faultsOfAnswer, faultsOfRequest, findRoute } from '../../apps/web/test/contract-check.ts'
import { chair } from '../../apps/web/test/listings.ts'
import { message } from '../../apps/web/test/messages.ts'
import { cardQuote, payment } from '../../apps/web/test/payments.ts'
import { ben } from '../../apps/web/test/people.ts'
import { stubGlobals } from '../../apps/web/test/stub-globals.ts'
import { pendingTransaction } from '../../apps/web/test/transactions.ts'
import { flowsOf, optionsOf, peakOptionsOf } from './k6/scenarios.js'
import k6 from './k6-stand-in.js'
import { SCENARIOS } from './settings.js'

const BASE_URL = 'https://holdfast.test'
const COOKIE = sessionCookieName(BASE_URL)
const SESSION = 'the-session'
const PEOPLE = [{ email: ben.email, password: 'a long password' }, { session: SESSION }]
/** A mixed load decides by the last digit of an iteration's number which flow it is. */
const ITERATIONS = 10
const { listListings } = listingRoutes
const PAGES_OF_LISTINGS = [30, 15].map(first => Array.from({ length: 15 }, (_, n) => ({ ...chair, id: first - n })))

/** What the product or the provider would refuse, the names of the requests, the listings bought, and what has become of the payment. */
let faults
let names
let isPaid
let iteration
let bought
beforeEach(() => {
  faults = []
  bought = new Set()
  names = new Set()
})

/**
 * What the product answers to the routes that the scenarios use.
 *
 * @typedef {{ status?: number | undefined, body?: any, headers?: Record<string, string>, cookies?: Record<string, { value: string }[]> }} Answer
 * @type {[import('@holdfast/contracts/route').RouteDefinition, (query: URLSearchParams, sent: any) => Answer][]}
 */
const ANSWER_LIST = [
  [userRoutes.signIn, () => ({ body: { user: ben }, cookies: { [COOKIE]: [{ value: SESSION }] } })],
  [
    listListings,
    query =>
      query.has('before')
        ? { body: PAGES_OF_LISTINGS[1] }
        : {
            body: PAGES_OF_LISTINGS[0],
            headers: { Link: nextLink(listListings, { query: { before: '16' } }) },
          },
  ],
  [listingRoutes.countListings, () => ({ body: { total: 20, category: [], condition: [] } })],
  [listingRoutes.getListing, () => ({ body: chair })],
  [
    transactionRoutes.createTransaction,
    (_, { listingId }) => {
      if (bought.has(listingId)) faults.push(`listing ${listingId} is bought twice`)
      bought.add(listingId)
      return { body: pendingTransaction() }
    },
  ],
  [paymentRoutes.getQuote, () => ({ body: cardQuote })],
  [
    paymentRoutes.createPayment,
    () => {
      isPaid = false
      return { body: payment }
    },
  ],
  [
    paymentRoutes.getPayment,
    () => ({
      body: {
        status: isPaid ? 'succeeded' : 'open',
        method: 'card',
        bankTransfer: null,
        cryptoPayment: null,
        cryptoReturns: [],
      },
    }),
  ],
  [messageRoutes.postMessage, () => ({ body: message(1) })],
  [messageRoutes.listMessages, () => ({ body: [message(1)] })],
]
const ANSWERS = new Map(ANSWER_LIST)

/**
 * As k6 answers.
 *
 * @param {Answer} answer
 */
const asAnswer = ({ status = 200, body, headers = {}, cookies = {} }) => ({
  status,
  headers,
  cookies,
  body: JSON.stringify(body),
  json: field => (field ? body[field] : body),
})

/**
 * @param {string} method
 * @param {string} url
 * @param {any} body
 * @param {{ headers?: Record<string, string>, cookies?: Record<string, { value: string }>, tags?: { name: string } }} options
 */
function request(method, url, body, { headers = {}, cookies = {}, tags } = {}) {
  const { origin, pathname: path, searchParams: query } = new URL(url)
  const fault = (...found) => faults.push(...found.map(each => `${method} ${path}: ${each}`))
  if (tags) names.add(tags.name)
  if (origin === payment.providerUrl) return askProvider(path, body, headers, fault)
  if (method === 'GET' && path === pages.home.path) return asAnswer({})
  const route = findRoute(method, path)
  const answer = route && ANSWERS.get(route)
  if (!answer) {
    fault(route ? 'this test has no answer to it' : 'the product has no such route')
    return asAnswer({ status: 404 })
  }
  const sent = headers['content-type'] === 'application/json' ? JSON.parse(body) : undefined
  fault(...faultsOfRequest(route, { path, query, headers: new Headers(headers), body: sent }))
  if (route.access === 'user' && cookies[COOKIE]?.value !== SESSION) fault('it has no session')
  const answered = asAnswer({ status: route.status, ...answer(query, sent) })
  fault(...faultsOfAnswer(route, answered.status, answered.json()))
  return answered
}

/**
 * The two steps of a browser at the payment provider.
 *
 * @param {string} path
 * @param {any} form
 * @param {Record<string, string>} headers
 * @param {(...found: string[]) => void} fault
 */
function askProvider(path, form, { authorization }, fault) {
  if (authorization !== `Bearer ${payment.publishableKey}` || !payment.publishableKey) fault('it has no key')
  if (path === '/v1/payment_methods') return asAnswer({ body: { id: 'pm_1' } })
  if (path !== '/v1/payment_intents/pi_1/confirm') fault('there is no such intent')
  if (form.client_secret !== payment.clientSecret || form.payment_method !== 'pm_1') fault('it names another payment')
  isPaid = true
  return asAnswer({ body: { id: 'pi_1' } })
}

Object.assign(k6, {
  check: (value, checks) => {
    const failed = Object.keys(checks).filter(name => !checks[name](value))
    faults.push(...failed.map(name => `not so: ${name}`))
    return failed.length === 0
  },
  request,
  get: (url, options) => request('GET', url, null, options),
  post: (url, form, options) => request('POST', url, form, options),
  scenario: {
    name: 'scenario',
    get iterationInTest() {
      return iteration
    },
  },
  test: { abort: reason => faults.push(reason) },
})
const ENV = { BASE_URL, PEOPLE_FILE: 'people.json', SCENARIO: 'mixed' }
const unstub = stubGlobals({ __ENV: ENV, open: () => JSON.stringify(PEOPLE) })
afterAll(unstub)

const script = await import('./k6/main.js')
const { prepare } = await import('./k6/prepare.js')

/** Runs the iterations of each part of a scenario, and answers the names under which its requests are counted. */
function run({ scenarios }, data) {
  names.clear()
  for (const { exec, env } of Object.values(scenarios)) {
    // This test has fewer listings than the product under a load, and each iteration a number of its own, too.
    globalThis.__ENV = { ...ENV, ...(env?.FIRST_NUMBER && { FIRST_NUMBER: String(ITERATIONS) }) }
    for (iteration = 0; iteration < ITERATIONS; iteration++) script[exec](data)
  }
  return [...names].toSorted()
}

/** The names of requests that have a threshold of their own. */
const namesWithThreshold = ({ thresholds }) =>
  Object.keys(thresholds)
    .flatMap(threshold => /\{name:(.*)\}$/.exec(threshold)?.[1] ?? [])
    .toSorted()

it.each(SCENARIOS)('the contracts allow every request of %s, and each has a threshold', scenario => {
  const options = optionsOf(scenario, { rate: null, duration: null, isStrict: false })
  const counted = run(options, prepare(flowsOf(scenario)))
  expect(faults).toEqual([])
  // Under a spike the requests have one threshold together.
  if (scenario !== 'spike') expect(counted).toEqual(namesWithThreshold(options))
})

it('the contracts allow every request of a load at 70 % of the peak, which is warmed up', () => {
  const options = optionsOf('mixed', { rate: null, duration: null, isStrict: true })
  const counted = run(options, prepare(flowsOf('mixed')))
  expect(faults).toEqual([])
  expect(counted).toEqual(namesWithThreshold(options))
})

it('the contracts allow every request of the closed loop that shows the peak', () => {
  const counted = run(peakOptionsOf('mixed'), script.setup())
  expect(faults).toEqual([])
  expect(counted).toEqual(namesWithThreshold(script.options))
})
