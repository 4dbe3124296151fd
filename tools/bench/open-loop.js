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
 * turns. The latencies of the first `warmUpSeconds` are left out.
 * Answers `{ rate, p50, p95, p99, longest, byMaker, errors, answered, problems }`; latencies in milliseconds. `byMaker` has the p50 and
 * the p99 of each maker's requests.
 */
export async function openLoop({ port, rate, seconds, warmUpSeconds, makers }) {
  const arrivals = poissonArrivals({ rate, seconds: warmUpSeconds + seconds })
  const free = Array.from({ length: CONNECTIONS }, (_, sender) => new Connection(port, sender))
  const answered = makers.map(() => 0)
  const latencies = []
  const ofMaker = makers.map(() => [])
  const problems = []
  let next = 0
  let open = 0
  const began = performance.now()

  const send = () => {
    const maker = next % makers.length
    const due = arrivals[next++]
    const connection = free.pop().reopened()
    open++
    connection.send(makers[maker](), problem => {
      open--
      if (problem === null) {
        answered[maker]++
        if (due >= warmUpSeconds * 1000) {
          latencies.push(performance.now() - began - due)
          ofMaker[maker].push(latencies.at(-1))
        }
      } else problems.push(problem)
      free.push(connection)
    })
  }
  const isDue = () => next < arrivals.length && arrivals[next] <= performance.now() - began
  await new Promise(resolve => {
    const deadline = (warmUpSeconds + seconds) * 1000 + PATIENCE_MS
    const timer = setInterval(() => {
      while (free.length > 0 && isDue()) send()
      const complete = next === arrivals.length && open === 0
      if (!complete && performance.now() - began < deadline) return
      clearInterval(timer)
      resolve()
    }, SEND_EVERY_MS)
  })
  for (const connection of free) connection.close()
  const unsent = arrivals.length - next
  return {
    rate: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    longest: percentile(latencies, 1),
    byMaker: ofMaker.map(own => ({ p50: percentile(own, 0.5), p99: percentile(own, 0.99) })),
    errors: problems.length + open + unsent,
    answered,
    problems,
  }
}
