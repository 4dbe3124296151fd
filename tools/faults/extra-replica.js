import fs from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '@holdfast/engines/ports'
import { Failure } from '../dev/failure.js'
import { runningProcesses } from '../dev/product.js'
import { entryOf, nodeOptionsOf } from '../dev/topology.js'
import { until } from '../dev/wait.js'

const SKEWED_CLOCK = fileURLToPath(new URL('skewed-clock.js', import.meta.url))
const ALIVE_WITHIN_MS = 30_000

/**
 * Starts one more replica of a service, with some variables changed, and has Prometheus ask it. No balancer knows it, so no request
 * reaches it. Answers what ends it.
 * @param {object} world as of run.js
 * @param {(environment: Record<string, string>) => Record<string, string>} change the variables that differ from the others'
 */
export async function startExtraReplica({ processes, dataDir, folder, prometheus }, service, change) {
  const { pid } = runningProcesses(dataDir).find(({ name }) => name === service)
  const lines = fs.readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
  const common = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const opsPort = await freePort()
  const env = { ...common, PORT: String(await freePort()), OPS_PORT: String(opsPort), ...change(common) }
  const skewed = env.SKEW_SECONDS === undefined ? [] : ['--import', SKEWED_CLOCK]
  const log = fs.openSync(`${folder}/extra-${service}.log`, 'a')
  const args = [...nodeOptionsOf(service), ...skewed, entryOf(service)]
  const entry = processes.spawn(`extra-${service}`, process.execPath, args, { env, output: log })
  fs.closeSync(log)
  const alive = () =>
    fetch(`http://127.0.0.1:${opsPort}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await until(alive, { withinMs: ALIVE_WITHIN_MS, everyMs: 200 })))
    throw new Failure(`one more replica of ${service} does not start; see ${folder}/extra-${service}.log`)
  const pod = `${service}-extra`
  prometheus.add(pod, service, `127.0.0.1:${opsPort}`)
  return async () => {
    prometheus.remove(pod)
    await processes.end(entry)
  }
}
