import { Connection } from './connection.js'
import { poissonArrivals } from './schedule.js'
import { percentile } from './statistics.js'

/** Requests that are due while all connections are busy wait for one. Their latency includes this time. */
const CONNECTIONS = 256
/** How long answers may take after the last request was due. A request whose answer takes longer counts as an error. */
const PATIENCE_MS = 10_000
/** How often the requests that are due are sent. */
const SEND_EVERY_MS = 1

/**
 * Measures latency at a given rate: each request is sent when a schedule says so, whether or not earlier ones were answered. Its
 * latency counts from the time at which it was due, so a slow answer also counts for the requests that it delays. Makers take
 * turns. The latencies of the first `warmUpSeconds` are left out. When `signal` aborts, no further requests become due.
 * Answers `{ rate, p50, p95, p99, longest, byMaker, sentAgain, errors, answered, problems }`; latencies in milliseconds. `byMaker` has the p50
 * and the p99 of each maker's requests, and `sentAgain` counts those that `Connection` has sent again.
 */
export async function openLoop({ port, rate, seconds, warmUpSeconds, makers, signal }) {
  const arrivals = poissonArrivals({ rate, seconds: warmUpSeconds + seconds })
  const connections = Array.from({ length: CONNECTIONS }, (_, sender) => new Connection(port, sender))
  const free = [...connections]
  const answered = makers.map(() => 0)
  /** @type {number[]} */
  const latencies = []
  /** @type {number[][]} */
  const ofMaker = makers.map(() => [])
  const problems = []
  let next = 0
  let open = 0
  const began = performance.now()
  let measuredMs = seconds * 1000
  signal?.addEventListener('abort', () => {
    const nowMs = performance.now() - began
    measuredMs = nowMs - warmUpSeconds * 1000
    // Those that were due before are still sent.
    arrivals.length = arrivals.filter(at => at <= nowMs).length
  })

  const send = () => {
    const maker = next % makers.length
    const due = arrivals[next++]
    const connection = free.pop()
    if (!connection) return
    open++
    connection.send(makers[maker](), problem => {
      open--
      if (problem === null) {
        answered[maker]++
        if (due >= warmUpSeconds * 1000) {
          const latency = performance.now() - began - due
          latencies.push(latency)
          ofMaker[maker].push(latency)
        }
      } else problems.push(problem)
      free.push(connection)
    })
  }
  const isDue = () => next < arrivals.length && arrivals[next] <= performance.now() - began
  await new Promise(resolve => {
    const timer = setInterval(() => {
      while (free.length > 0 && isDue()) send()
      const complete = next === arrivals.length && open === 0
      if (!complete && performance.now() - began < warmUpSeconds * 1000 + measuredMs + PATIENCE_MS) return
      clearInterval(timer)
      resolve(undefined)
    }, SEND_EVERY_MS)
  })
  for (const connection of connections) connection.close()
  const unsent = arrivals.length - next
  return {
    rate: latencies.length / (measuredMs / 1000),
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    longest: percentile(latencies, 1),
    byMaker: ofMaker.map(own => ({ p50: percentile(own, 0.5), p99: percentile(own, 0.99) })),
    sentAgain: connections.reduce((sum, connection) => sum + connection.sentAgain, 0),
    errors: problems.length + open + unsent,
    answered,
    problems,
  }
}
