import { Connection } from './connection.js'
import { poissonArrivals } from './schedule.js'
import { percentile } from './statistics.js'

/** Requests that are due while all connections are busy wait for one; their latency includes that. */
const CONNECTIONS = 256
/** How long answers may take after the last request was due. One that takes longer counts as an error. */
const PATIENCE_MS = 10_000
const PUMP_MS = 1

/**
 * Sends requests when a schedule says so, whether or not earlier ones were answered: this measures latency at a given rate. A
 * latency counts from the time at which its request was due, so the waiting that a slow answer causes is counted. Makers take
 * turns. Requests of the first `warmUpSeconds` are sent and checked, and their latencies left out.
 * Answers `{ rate, p50, p95, p99, longest, errors, answered, problems }`; latencies in milliseconds.
 */
export async function openLoop({ port, rate, seconds, warmUpSeconds, makers }) {
  const arrivals = poissonArrivals({ rate, seconds: warmUpSeconds + seconds })
  const free = Array.from({ length: CONNECTIONS }, (_, sender) => new Connection(port, sender))
  const answered = makers.map(() => 0)
  const latencies = []
  const problems = []
  let next = 0
  let open = 0
  const began = performance.now()

  const send = () => {
    const maker = next % makers.length
    const due = arrivals[next++]
    const connection = free.pop().orAnother()
    open++
    connection.send(makers[maker](), problem => {
      open--
      if (problem === null) {
        answered[maker]++
        if (due >= warmUpSeconds * 1000) latencies.push(performance.now() - began - due)
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
    }, PUMP_MS)
  })
  for (const connection of free) connection.close()
  const unsent = arrivals.length - next
  return {
    rate: latencies.length / seconds,
    p50: percentile(latencies, 0.5),
    p95: percentile(latencies, 0.95),
    p99: percentile(latencies, 0.99),
    longest: percentile(latencies, 1),
    errors: problems.length + open + unsent,
    answered,
    problems,
  }
}
