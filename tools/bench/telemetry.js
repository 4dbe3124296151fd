// What traces cost: processor time of a money command with the production's share of traces, and without any.
import http from 'node:http'
import { readVariables } from '../deploy/manifests.js'
import { listen } from '../dev/listen.js'
import { phase, say } from '../dev/output.js'
import { moneyAtRate, warmUp } from './measure.js'
import { processorLines } from './processor-time.js'
import { errorLines } from './report.js'
import { isAbove, median } from './statistics.js'
import { startBenchedProduct } from './world.js'

/** @typedef {Awaited<ReturnType<typeof moneyAtRate>>} Load */

const AIM = 0.05
/** Both carry out as many commands a second: this share of the peak. At the peak, what a command costs depends on how many share a batch. */
const SHARE_OF_PEAK = 0.5

/**
 * Starts the product twice, with traces and without them. Measures both in pairs. Each pair begins with the product that was measured last.
 * Prints a RATIO line with the median of the pairs. The collector takes what comes and does nothing with it.
 * Answers the exit code: 1 for what `telemetryFaults` finds.
 */
export async function measureTelemetry(processes, undo, settings) {
  const collector = await startCollector()
  undo.push(collector.close)
  const share = productionShare()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: String(share) }
  const traced = await startBenchedProduct(processes, undo, endpoint)
  const plain = await startBenchedProduct(processes, undo, { OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  const order = [traced, plain]
  const peaks = await phase('Warming up', async () => {
    const rates = []
    for (const world of order) rates.push((await warmUp(world, settings)).rate)
    return rates
  })
  const rate = Math.round(Math.min(...peaks) * SHARE_OF_PEAK)
  const [withTraces, without] = [traced, plain].map(() => /** @type {Load[]} */ ([]))
  const resultsOf = world => (world === traced ? withTraces : without)
  for (let n = 1; n <= settings.telemetryPairs; n++)
    await phase(`Pair ${n} of ${settings.telemetryPairs}, ${rate} commands a second`, async () => {
      for (const world of order.reverse())
        resultsOf(world).push(await moneyAtRate(world, rate, settings.telemetrySeconds))
    })
  for (const world of order) await world.stop()
  if (collector.taken() === 0) throw new Error('no span has reached the collector')
  const costs = withTraces.map((result, n) => costOf(result) / costOf(without[n]) - 1)
  say('', ...processorLines(`traces of ${100 * share} %`, withTraces), '', ...processorLines('no traces', without), '')
  say(`  telemetry_cost of the pairs: ${costs.map(cost => cost.toFixed(3)).join(', ')}`)
  process.stdout.write(`RATIO telemetry_cost ${median(costs).toFixed(3)} aim ${AIM.toFixed(2)}\n`)
  const faults = telemetryFaults(costs, [...withTraces, ...without])
  say(...faults)
  return faults.length === 0 ? 0 : 1
}

/**
 * What is wrong with a run, as lines: requests without a success, and a cost above the aim.
 * @param {number[]} costs one for each pair
 */
export const telemetryFaults = (costs, results) => [
  ...errorLines('money commands', results),
  ...(isAbove(median(costs), AIM, 3) ? [`the median of the cost is above ${AIM}`] : []),
]

/** Seconds of processor time that all processes of the product spend on one command. */
function costOf({ cpu, answered }) {
  const seconds = Object.values(cpu).reduce((sum, each) => sum + each, 0)
  if (seconds === 0) throw new Error('this system does not measure processor time by process')
  return seconds / answered
}

/** The share of the traces that production records. */
const productionShare = () => Number(readVariables('overlays/production/common.env').OTEL_TRACES_SAMPLER_ARG)

async function startCollector() {
  let taken = 0
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => {
      taken++
      response.end('{}')
    })
  })
  return { url: `http://127.0.0.1:${await listen(server)}`, taken: () => taken, close: () => server.close() }
}
