import fs from 'node:fs'
import path from 'node:path'
import { EngineProcess } from '@holdfast/engines/engine-process'
import { freePort } from '@holdfast/engines/ports'
import { configuration, targetsOf } from './scrape.js'

const READY_WITHIN_MS = 20_000
const ANSWER_WITHIN_MS = 10_000

/** A real Prometheus with the rules of the repository. */
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
        `--config.file=${file}`,
        `--storage.tsdb.path=${path.join(this.#folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${this.#port}`,
        '--log.level=warn',
      ],
      logFile: path.join(this.#folder, 'prometheus.log'),
      isReady: () => this.#isReady(),
      withinMs: READY_WITHIN_MS,
    })
    await this.#process.start()
  }

  stop() {
    return this.#process.stop()
  }

  /** Whether it answers queries. It listens before it has read its storage, and refuses them until then. */
  async #isReady() {
    try {
      const { ok } = await fetch(`http://127.0.0.1:${this.#port}/-/ready`, {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      })
      return ok
    } catch {
      return false // It does not listen yet.
    }
  }

  /** From now on it scrapes these processes, and no others of ours. */
  scrape(replicas) {
    const draft = `${this.#targetsFile}.new`
    fs.writeFileSync(draft, JSON.stringify(targetsOf(replicas)))
    fs.renameSync(draft, this.#targetsFile)
  }

  /** The alerts that are pending or fire now. @returns {Promise<import('./experiment.js').Alert[]>} */
  async alerts() {
    const url = `http://127.0.0.1:${this.#port}/api/v1/alerts`
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
    if (!answer.ok) throw new Error(`Prometheus answered ${answer.status}: ${await answer.text()}`)
    const { data } = /** @type {any} */ (await answer.json())
    return data.alerts.map(({ labels, state }) => ({ name: labels.alertname, state, labels }))
  }

  get #targetsFile() {
    return path.join(this.#folder, 'targets.json')
  }
}
