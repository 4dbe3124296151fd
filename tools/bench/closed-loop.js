import { setTimeout as sleep } from 'node:timers/promises'
import { Connection } from './connection.js'
import { percentile } from './statistics.js'
import { isSteady, SLICE_SECONDS } from './steadiness.js'

/**
 * Measures the highest rate: each client waits for its answer before it sends the next request. It first warms up until the rate
 * is steady, for at most `warmUpAtMostSeconds`. Client `n` makes its requests with `makers[n % makers.length]`.
 * Answers `{ rate, p50, p99, answered, warmUp: { seconds, steady }, problems }`. Latencies are in milliseconds. `answered` counts
 * the successes of each maker, with those of the warm-up.
 */
export async function closedLoop({ port, clients, seconds, warmUpAtMostSeconds, makers }) {
  const answered = makers.map(() => 0)
  const problems = []
  let latencies = []
  let stopped = false
  const connections = []
  const busy = Array.from({ length: clients }, (_, n) => {
    const connection = new Connection(port)
    connections.push(connection)
    const maker = n % makers.length
    return new Promise(resolve => {
      const ask = () => {
        if (stopped) return resolve(undefined)
        const askedAt = performance.now()
        connection.send(makers[maker](), problem => {
          if (problem === null) {
            answered[maker]++
            latencies.push(performance.now() - askedAt)
          } else problems.push(problem)
          // A client whose request failed sends no more.
          return problem === null ? ask() : resolve(undefined)
        })
      }
      ask()
    })
  })
  const slice = async length => {
    latencies = []
    const began = performance.now()
    await sleep(length * 1000)
    return latencies.length / ((performance.now() - began) / 1000)
  }

  const rates = []
  while (!isSteady(rates) && rates.length * SLICE_SECONDS < warmUpAtMostSeconds) rates.push(await slice(SLICE_SECONDS))
  const warmUp = { seconds: rates.length * SLICE_SECONDS, steady: isSteady(rates) }
  const rate = seconds > 0 ? await slice(seconds) : rates.at(-1)
  const measured = latencies
  latencies = []
  stopped = true
  // The sockets close only after every request is answered, so that the books can be compared with the answers.
  await Promise.all(busy)
  for (const connection of connections) connection.close()
  return { rate, p50: percentile(measured, 0.5), p99: percentile(measured, 0.99), answered, warmUp, problems }
}
