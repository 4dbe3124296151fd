// The exporters that a cluster has besides our processes: node_exporter, redis_exporter and blackbox_exporter, from Debian's packages.
import fs from 'node:fs'
import path from 'node:path'
import { freePort } from '@holdfast/engines/ports'
import { until } from '../dev/wait.js'
import { commandOf } from './prometheus.js'

const READY_WITHIN_MS = 10_000

/**
 * Starts them. Answers their jobs for Prometheus.
 * @param {import('../dev/processes.js').Processes} processes
 * @param {{ folder: string, redisUrl: string, certificateUrl: string }} of whom they ask
 */
export async function startExporters(processes, { folder, redisUrl, certificateUrl }) {
  const modules = { tls: { prober: 'http', http: { tls_config: { insecure_skip_verify: true } } } }
  const blackbox = path.join(folder, 'blackbox.json')
  fs.writeFileSync(blackbox, JSON.stringify({ modules }))
  const start = async (name, args) => {
    const address = `127.0.0.1:${await freePort()}`
    const log = fs.openSync(path.join(folder, `${name}.log`), 'a')
    const command = commandOf(`prometheus-${name}`)
    processes.spawn(name, command, [`--web.listen-address=${address}`, ...args], {
      env: { PATH: process.env.PATH },
      output: log,
    })
    fs.closeSync(log)
    const answers = () =>
      fetch(`http://${address}/metrics`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until(answers, { withinMs: READY_WITHIN_MS, everyMs: 100 })
    return address
  }
  const job = (job_name, address, more = {}) => ({ job_name, static_configs: [{ targets: [address] }], ...more })
  const asked = await start('blackbox-exporter', [`--config.file=${blackbox}`])
  return [
    job('node', await start('node-exporter', ['--collector.disable-defaults', '--collector.filesystem'])),
    job('redis', await start('redis-exporter', [`--redis.addr=${redisUrl}`])),
    job('blackbox', asked, {
      metrics_path: '/probe',
      params: { module: ['tls'], target: [certificateUrl] },
      relabel_configs: [{ target_label: 'instance', replacement: certificateUrl }],
    }),
  ]
}
