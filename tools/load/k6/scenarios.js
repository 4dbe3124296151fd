/**
 * The scenarios. Each is an open loop: iterations begin when the schedule says so, whether or not earlier ones have ended. One that cannot
 * begin, because all virtual users are busy, counts as dropped.
 */
import { PEAK_SECONDS, WARM_UP_SECONDS } from './peak.js'

/** Iterations a second, by flow. A quarter of what the slower of our machines (2 processors, all processes on it) can do. */
const RATES = { browse: 40, buy: 8, chat: 20 }
/** How the flows share the rate of a mixed load. */
export const SHARES = { browse: 0.7, buy: 0.1, chat: 0.2 }
/** The virtual users of a closed loop. */
const PEAK_USERS = 32
const MIXED_RATE = 40
const SPIKE_FACTOR = 10
const OPEN_WARM_UP_SECONDS = 10
/** How long the last iterations of a loop may take. */
const LAST_ITERATIONS_SECONDS = 5
/** k6 counts the iterations of each scenario from 0. A warm-up has fewer than this. */
const NUMBERS_AFTER_WARM_UP = { FIRST_NUMBER: '5000' }

/** The requests of each flow, by the names under which they are counted. k6 prints a figure of its own for each that has a threshold. */
const REQUESTS = {
  browse: ['GET /', 'GET /api/listings', 'GET /api/listings/facets', 'GET /api/listings/{id}'],
  buy: [
    'GET /api/listings/{id}',
    'POST /api/transactions',
    'GET /api/transactions/{id}/quote',
    'POST /api/transactions/{id}/payments',
    'GET /api/transactions/{id}/payment',
    'provider',
  ],
  chat: ['POST /api/transactions/{id}/messages', 'GET /api/transactions/{id}/messages'],
}

/** Milliseconds within which 95 and 99 of 100 requests are answered, and the share that may fail. */
const USUAL = {
  http_req_duration: ['p(95)<500', 'p(99)<1500'],
  http_req_failed: ['rate<0.001'],
  checks: ['rate>0.999'],
  dropped_iterations: ['count==0'],
}
/** The aims at 70 % of the peak. */
const STRICT = {
  'http_req_duration{phase:measured}': ['p(95)<50', 'p(99)<150'],
  http_req_failed: ['rate==0'],
  checks: ['rate==1'],
  'dropped_iterations{phase:measured}': ['count==0'],
}
const USUAL_OF_ONE = ['p(95)<1000']
/** Under a spike requests may be refused with 503 and `Retry-After`; nothing else may go wrong, and what is answered is answered soon. */
const SPIKE = {
  'http_req_duration{expected_response:true}': ['p(95)<5000'],
  checks: ['rate>0.999'],
}

const constant = (exec, rate, duration) => ({
  executor: 'constant-arrival-rate',
  exec,
  rate: Math.max(1, Math.round(rate)),
  timeUnit: '1s',
  duration,
  ...usersFor(rate),
})

const spike = (exec, rate) => ({
  executor: 'ramping-arrival-rate',
  exec,
  startRate: Math.max(1, Math.round(rate)),
  timeUnit: '1s',
  stages: [
    { duration: '10s', target: Math.round(rate) },
    { duration: '2s', target: Math.round(rate * SPIKE_FACTOR) },
    { duration: '10s', target: Math.round(rate * SPIKE_FACTOR) },
    { duration: '2s', target: Math.round(rate) },
    { duration: '15s', target: Math.round(rate) },
  ],
  ...usersFor(rate * SPIKE_FACTOR),
})

/** An iteration takes about a second; with five times as many users, none waits for a user unless the product is slow. */
const usersFor = rate => ({ preAllocatedVUs: Math.ceil(rate * 2) + 5, maxVUs: Math.ceil(rate * 5) + 20 })

const each = make => Object.fromEntries(Object.keys(SHARES).map(flow => [flow, make(flow)]))

/**
 * The same load twice, and only the second is measured. For the first three seconds of its virtual users, k6 itself takes more than one of two
 * processors. The second load begins when the first is over, so it has the same virtual users.
 */
const warmedUp = (flow, rate, duration) => ({
  [`warmUp_${flow}`]: {
    ...constant(flow, rate, `${OPEN_WARM_UP_SECONDS}s`),
    gracefulStop: `${LAST_ITERATIONS_SECONDS}s`,
  },
  [flow]: {
    ...constant(flow, rate, duration),
    startTime: `${OPEN_WARM_UP_SECONDS + LAST_ITERATIONS_SECONDS}s`,
    tags: { phase: 'measured' },
    env: NUMBERS_AFTER_WARM_UP,
  },
})

function thresholdsOf(flows, isStrict) {
  const names = flows.flatMap(flow => REQUESTS[flow])
  return {
    ...(isStrict ? STRICT : USUAL),
    ...Object.fromEntries(names.map(name => [`http_req_duration{name:${name}}`, USUAL_OF_ONE])),
  }
}

/** The flows of a scenario. */
export const flowsOf = scenario => (scenario in RATES ? [scenario] : Object.keys(SHARES))

export function optionsOf(scenario, { rate, duration, isStrict }) {
  const total = rate ?? MIXED_RATE
  if (scenario === 'spike') return { scenarios: each(flow => spike(flow, total * SHARES[flow])), thresholds: SPIKE }
  const length = duration ?? (scenario === 'soak' ? '30m' : '1m')
  const rates = scenario in RATES ? { [scenario]: rate ?? RATES[scenario] } : each(flow => total * SHARES[flow])
  const load = isStrict ? warmedUp : (flow, rate, duration) => ({ [flow]: constant(flow, rate, duration) })
  const scenarios = Object.entries(rates).map(([flow, rate]) => load(flow, rate, length))
  return { scenarios: Object.assign({}, ...scenarios), thresholds: thresholdsOf(Object.keys(rates), isStrict) }
}

/** A closed loop, which shows the peak: each virtual user begins an iteration as soon as its last one has ended. */
export function peakOptionsOf(scenario) {
  const loop = (seconds, startSeconds) => ({
    executor: 'constant-vus',
    exec: scenario in RATES ? scenario : 'mixed',
    vus: PEAK_USERS,
    duration: `${seconds}s`,
    startTime: `${startSeconds}s`,
    gracefulStop: `${LAST_ITERATIONS_SECONDS}s`,
  })
  return {
    scenarios: {
      warmUp: loop(WARM_UP_SECONDS, 0),
      peak: { ...loop(PEAK_SECONDS, WARM_UP_SECONDS), env: NUMBERS_AFTER_WARM_UP },
    },
    // k6 counts the iterations of a scenario by themselves only when they have a threshold.
    // A refusal is fast, so a peak with refusals would be none.
    thresholds: { 'iterations{scenario:peak}': ['count>0'], checks: ['rate==1'], http_req_failed: ['rate==0'] },
  }
}
