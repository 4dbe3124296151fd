/**
 * The scenarios. Each is an open loop: iterations begin when the schedule says so, whether or not earlier ones have ended. One that cannot
 * begin, because all virtual users are busy, counts as dropped.
 */

/** Iterations a second, by flow. A quarter of what the slower of our machines (2 processors, all processes on it) can do. */
const RATES = { browse: 40, buy: 8, chat: 20 }
/** How the flows share the rate of a mixed load. */
const SHARES = { browse: 0.7, buy: 0.1, chat: 0.2 }
const MIXED_RATE = 40
const SPIKE_FACTOR = 10

/** Milliseconds within which 95 and 99 of 100 requests are answered, and the share that may fail. */
const USUAL = {
  http_req_duration: ['p(95)<500', 'p(99)<1500'],
  http_req_failed: ['rate<0.001'],
  checks: ['rate>0.999'],
  dropped_iterations: ['count==0'],
}
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

export function optionsOf(scenario, { rate, duration }) {
  if (scenario in RATES)
    return {
      scenarios: { [scenario]: constant(scenario, rate ?? RATES[scenario], duration ?? '1m') },
      thresholds: USUAL,
    }
  const total = rate ?? MIXED_RATE
  if (scenario === 'spike') return { scenarios: each(flow => spike(flow, total * SHARES[flow])), thresholds: SPIKE }
  const length = duration ?? (scenario === 'soak' ? '30m' : '1m')
  return { scenarios: each(flow => constant(flow, total * SHARES[flow], length)), thresholds: USUAL }
}
