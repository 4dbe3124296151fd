import fs from 'node:fs'
import path from 'node:path'
import { findCommand } from '@holdfast/engines/commands'
import { freePort } from '@holdfast/engines/ports'
import { parse } from 'yaml'
import { RULE_FILES } from '../deploy/rules.js'
import { Failure } from '../dev/failure.js'
import { STOPS } from '../dev/processes.js'
import { ROOT } from '../dev/settings.js'
import { until } from '../dev/wait.js'

const READY_WITHIN_MS = 30_000
const STEP_MS = 200
/** Stands for the discovery of pods, which Debian's Prometheus leaves out: a file that may change while it runs. */
const TARGETS = 'targets.json'

/**
 * The configuration of deploy/prometheus with the same rules and intervals. The processes come from a file, and each exporter is a job.
 * @param {string} config the text of deploy/prometheus/prometheus.yaml
 * @param {object[]} exporters jobs
 */
export function configurationFor(config, exporters) {
  const { global, scrape_configs } = parse(config)
  const { job_name, honor_labels } = scrape_configs.find(job => job.job_name === 'holdfast')
  const holdfast = { job_name, honor_labels, file_sd_configs: [{ files: [TARGETS], refresh_interval: '1s' }] }
  return { global, rule_files: RULE_FILES, scrape_configs: [holdfast, ...exporters] }
}

/** A command that must be there. @throws Failure that names Debian's package of it */
export function commandOf(name, debianPackage = name) {
  const found = findCommand(name)
  if (found === null)
    throw new Failure(`${name} is not on this machine: apt-get install --no-install-recommends ${debianPackage}`)
  return found
}

/** A Prometheus that watches one product. Each begins without a history, so a fault before is not seen in a later one. */
export class Prometheus {
  #entry

  /**
   * @param {import('../dev/processes.js').Processes} processes
   * @param {string} folder where its data lie
   * @param {Record<string, string>} targets the pods by name, each with its address
   */
  constructor(processes, folder, targets) {
    this.processes = processes
    this.folder = folder
    this.targets = targets
  }

  /** Starts it, and waits until it answers. @param {object[]} exporters jobs */
  async start(exporters) {
    const port = await freePort()
    this.url = `http://127.0.0.1:${port}`
    fs.rmSync(this.folder, { recursive: true, force: true })
    fs.mkdirSync(this.folder, { recursive: true })
    const file = path.join(this.folder, 'prometheus.json')
    const config = fs.readFileSync(path.join(ROOT, 'deploy/prometheus/prometheus.yaml'), 'utf8')
    fs.writeFileSync(file, JSON.stringify(configurationFor(config, exporters)))
    this.#writeTargets()
    const log = fs.openSync(path.join(this.folder, 'prometheus.log'), 'a')
    const data = `--storage.tsdb.path=${path.join(this.folder, 'data')}`
    const args = [`--config.file=${file}`, data, `--web.listen-address=127.0.0.1:${port}`]
    const options = { env: { PATH: process.env.PATH }, output: log, stops: STOPS.ingress }
    this.#entry = this.processes.spawn('prometheus', commandOf('prometheus'), args, options)
    fs.closeSync(log)
    const ready = () =>
      fetch(`${this.url}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      )
    if (!(await until(ready, { withinMs: READY_WITHIN_MS, everyMs: STEP_MS })))
      throw new Failure(`Prometheus does not answer; see ${this.folder}/prometheus.log`)
  }

  stop() {
    return this.processes.end(this.#entry)
  }

  /** Has Prometheus ask one more process, until `remove` is called with its name. */
  add(pod, service, address) {
    this.targets[pod] = { service, address }
    this.#writeTargets()
  }

  remove(pod) {
    delete this.targets[pod]
    this.#writeTargets()
  }

  /** The names of the alerts in a state: `pending` or `firing`. */
  async alerts(state) {
    const answer = await fetch(`${this.url}/api/v1/alerts`)
    const { data } = await answer.json()
    return new Set(data.alerts.filter(alert => alert.state === state).map(({ labels }) => labels.alertname))
  }

  /** Whether every target was asked and has answered. */
  async seesAll() {
    const answer = await fetch(`${this.url}/api/v1/targets?state=active`)
    const { data } = await answer.json()
    const expected = Object.keys(this.targets).length
    const ours = data.activeTargets.filter(({ labels }) => labels.job === 'holdfast')
    return ours.length === expected && data.activeTargets.every(({ health }) => health === 'up')
  }

  // Renamed, so that Prometheus reads the whole file.
  #writeTargets() {
    const rows = Object.entries(this.targets).map(([pod, { service, address }]) => ({
      targets: [address],
      labels: { service, pod },
    }))
    const file = path.join(this.folder, TARGETS)
    fs.writeFileSync(`${file}.new`, JSON.stringify(rows))
    fs.renameSync(`${file}.new`, file)
  }
}

/** The product's own processes as targets. @param {Record<string, { opsPort: number }>} ports @param {readonly string[]} services */
export const targetsOf = (ports, services) =>
  Object.fromEntries(
    services.map(service => [`${service}-0`, { service, address: `127.0.0.1:${ports[service].opsPort}` }]),
  )
