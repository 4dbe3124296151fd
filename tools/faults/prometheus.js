import fs from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../dev/settings.js'
import { EngineProcess } from '../engines/dist/engine-process.js'
import { answersAt, freePort } from '../engines/dist/ports.js'

const FOLDER = path.join(ROOT, 'deploy/prometheus')
const READY_WITHIN_MS = 20_000
const ANSWER_WITHIN_MS = 10_000

/**
 * A Prometheus with the rules and intervals of `deploy/prometheus`. Only the way in which it finds the processes is another one, since
 * there is no cluster: addresses in files, which it reads again when they change.
 */
export class Prometheus {
  #folder
  #jobs
  #process
  #port

  /**
   * @param {string} folder for its configuration and data
   * @param {object[]} jobs more scrape configurations, those of exporters
   */
  constructor(folder, jobs) {
    this.#folder = folder
    this.#jobs = jobs
  }

  /** Starts it. @param {{ service: string, pod: string, opsPort: number }[]} replicas the product's processes */
  async start(replicas) {
    fs.mkdirSync(this.#folder, { recursive: true })
    this.scrape(replicas)
    const file = path.join(this.#folder, 'prometheus.yaml')
    fs.writeFileSync(file, JSON.stringify(configuration(this.#targetsFile, this.#jobs)))
    this.#port = await freePort()
    this.#process = new EngineProcess({
      name: 'Prometheus',
      file: 'prometheus',
      args: [
        ...[`--config.file=${file}`, `--storage.tsdb.path=${path.join(this.#folder, 'data')}`],
        ...[`--web.listen-address=127.0.0.1:${this.#port}`, '--log.level=warn'],
      ],
      logFile: path.join(this.#folder, 'prometheus.log'),
      isReady: () => answersAt(this.#port),
      withinMs: READY_WITHIN_MS,
    })
    await this.#process.start()
  }

  stop() {
    return this.#process.stop()
  }

  /** From now on it scrapes these processes, and no others of ours. */
  scrape(replicas) {
    const draft = `${this.#targetsFile}.new`
    fs.writeFileSync(draft, JSON.stringify(targetsOf(replicas)))
    fs.renameSync(draft, this.#targetsFile)
  }

  /** The alerts that are pending or fire now: `{ name, state, labels }`. */
  async alerts() {
    const { alerts } = await this.#ask('alerts')
    return alerts.map(({ labels: { alertname, severity: _, ...labels }, state }) => ({
      name: alertname,
      state,
      labels,
    }))
  }

  /** The values of a query now. */
  async query(text) {
    const { result } = await this.#ask(`query?query=${encodeURIComponent(text)}`)
    return result.map(({ value }) => Number(value[1]))
  }

  async #ask(question) {
    const url = `http://127.0.0.1:${this.#port}/api/v1/${question}`
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()).data
  }

  get #targetsFile() {
    return path.join(this.#folder, 'targets.json')
  }
}

/** The repository's configuration, with the rules where they are and the processes' addresses from a file. */
export function configuration(targetsFile, jobs) {
  const { global, rule_files, scrape_configs } = parse(fs.readFileSync(path.join(FOLDER, 'prometheus.yaml'), 'utf8'))
  const { kubernetes_sd_configs: _, relabel_configs: __, ...ours } = scrape_configs[0]
  return {
    global,
    rule_files: rule_files.map(pattern => path.join(FOLDER, pattern)),
    scrape_configs: [{ ...ours, file_sd_configs: [{ files: [targetsFile], refresh_interval: '5s' }] }, ...jobs],
  }
}

/** What `file_sd_configs` reads: each process with the labels that Kubernetes would give it. */
export const targetsOf = replicas =>
  replicas.map(({ service, pod, opsPort }) => ({ targets: [`127.0.0.1:${opsPort}`], labels: { service, pod } }))
