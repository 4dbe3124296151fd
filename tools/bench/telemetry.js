// What traces cost: processor time of a money command with the production's share of traces, and without any.
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { phase, say } from '../dev/output.js'
import { ROOT } from '../dev/settings.js'
import { measureMoney } from './measure.js'
import { median } from './statistics.js'
import { startBenchedProduct } from './world.js'

const AIM = 0.05
const PRODUCTION = path.join(ROOT, 'deploy/k8s/overlays/production/common.env')

/**
 * Starts the product twice, with traces and without them, and measures both in turn, the first of each pair alternating. Prints a RATIO
 * line with the median of the pairs. The collector takes what comes and does nothing with it.
 */
export async function measureTelemetry(processes, undo, settings) {
  const collector = await startCollector()
  undo.push(collector.close)
  const share = productionShare()
  const traced = await startBenchedProduct(processes, undo, {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_SAMPLER_ARG: share,
  })
  const plain = await startBenchedProduct(processes, undo, { OTEL_EXPORTER_OTLP_ENDPOINT: '' })
  const warmUp = { ...settings, seconds: 0, warmUpAtMostSeconds: settings.firstWarmUpAtMostSeconds }
  await phase('Warming up', async () => {
    for (const world of [traced, plain]) await measureMoney(world, warmUp)
  })
  const pairs = []
  for (let n = 1; n <= settings.telemetryPairs; n++)
    pairs.push(
      await phase(`Pair ${n} of ${settings.telemetryPairs}`, async () => {
        const pair = {}
        const both = [
          ['traced', traced],
          ['plain', plain],
        ]
        for (const [name, world] of n % 2 === 0 ? both : both.reverse())
          pair[name] = costOf(await measureMoney(world, settings))
        return pair
      }),
    )
  await traced.stop()
  await plain.stop()
  if (collector.taken() === 0) throw new Error('no span has reached the collector')
  const costs = pairs.map(pair => pair.traced / pair.plain - 1)
  const us = name => Math.round(median(pairs.map(pair => pair[name])))
  say(
    '',
    `A money command takes ${us('plain')} µs of processor time without traces, and ${us('traced')} µs with a share of ${share}.`,
    `  of the pairs: ${costs.map(cost => cost.toFixed(3)).join(', ')}; the collector has taken ${collector.taken()} requests`,
    '',
  )
  process.stdout.write(`RATIO telemetry_cost ${median(costs).toFixed(3)} aim ${AIM.toFixed(2)}\n`)
  return 0
}

/** Microseconds of processor time that all processes of the product spend on one command. */
function costOf({ cpu, answered }) {
  const seconds = Object.values(cpu).reduce((sum, each) => sum + each, 0)
  if (seconds === 0) throw new Error('this system does not measure processor time by process')
  return (1e6 * seconds) / answered
}

/** The share of the traces that production records. */
const productionShare = () => /^OTEL_TRACES_SAMPLER_ARG=(.+)$/m.exec(fs.readFileSync(PRODUCTION, 'utf8'))[1]

async function startCollector() {
  let taken = 0
  const server = http.createServer((request, response) => {
    request.resume().once('end', () => {
      taken++
      response.end('{}')
    })
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    taken: () => taken,
    close: () => server.close(),
  }
}
