import fs from 'node:fs'
import path from 'node:path'
import { EngineProcess } from '@holdfast/engines/engine-process'
import { answersAt, freePort } from '@holdfast/engines/ports'

const READY_WITHIN_MS = 20_000

/**
 * Starts the exporters that the rules need besides our processes, as a cluster has them. Adds to `undo` what stops them. Answers the scrape
 * configurations with which Prometheus reads them.
 * @param {(() => unknown)[]} undo
 * @param {string} folder for their logs and configuration
 * @param {{ redisUrl: string, mountPoint: string | null, tlsUrl: string }} watched what they look at; null for no disk
 */
export async function startExporters(undo, folder, { redisUrl, mountPoint, tlsUrl }) {
  const redis = await start(undo, folder, 'prometheus-redis-exporter', [`--redis.addr=${redisUrl}`])
  const blackbox = await start(undo, folder, 'prometheus-blackbox-exporter', [`--config.file=${modulesFile(folder)}`])
  const jobs = [
    { job_name: 'redis', static_configs: [{ targets: [redis] }] },
    {
      job_name: 'certificates',
      metrics_path: '/probe',
      params: { module: ['https'] },
      static_configs: [{ targets: [tlsUrl] }],
      relabel_configs: [
        { source_labels: ['__address__'], target_label: '__param_target' },
        { source_labels: ['__param_target'], target_label: 'instance' },
        { target_label: '__address__', replacement: blackbox },
      ],
    },
  ]
  if (mountPoint === null) return jobs
  const node = await start(undo, folder, 'prometheus-node-exporter', ONLY_DISKS)
  // The disks of this machine are none of the product's.
  const onlySmallDisk = { source_labels: ['mountpoint'], regex: mountPoint, action: 'keep' }
  return [...jobs, { job_name: 'node', static_configs: [{ targets: [node] }], metric_relabel_configs: [onlySmallDisk] }]
}

const ONLY_DISKS = [
  '--collector.disable-defaults',
  '--collector.filesystem',
  '--collector.filesystem.mount-points-exclude=^/(dev|proc|run|sys)($|/)',
]

/** Starts an exporter. Answers its address. */
async function start(undo, folder, file, args) {
  const port = await freePort()
  const address = `127.0.0.1:${port}`
  const process = new EngineProcess({
    name: file,
    file,
    args: [...args, `--web.listen-address=${address}`],
    logFile: path.join(folder, `${file}.log`),
    isReady: () => answersAt(port),
    withinMs: READY_WITHIN_MS,
  })
  undo.push(() => process.stop())
  await process.start()
  return address
}

/** The certificate is of no authority; only its end matters here. */
function modulesFile(folder) {
  const file = path.join(folder, 'blackbox.yaml')
  const https = { prober: 'http', timeout: '5s', http: { tls_config: { insecure_skip_verify: true } } }
  fs.writeFileSync(file, JSON.stringify({ modules: { https } }))
  return file
}
