import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { entryIn } from '../built.js'
import { environments, migrateEnvironment, ownerUrl, sandboxUrl } from '../environment.js'
import { Logs } from '../logs.js'
import { reservePorts } from '../ports.js'
import { startPostgres } from '../postgres.js'
import { STOPS } from '../processes.js'
import { waitUntilReady } from '../readiness.js'
import { loadSecrets } from '../secrets.js'
import { ROOT, readSettings } from '../settings.js'
import { runTask } from '../task.js'
import { entryOf, nodeOptionsOf, TOPOLOGY } from '../topology.js'

const PARENT_WATCH = new URL('../parent-watch.js', import.meta.url).href
// The data is removed afterwards, so it need not survive a power cut.
const DATABASE_SETTINGS = { fsync: 'off' }

/** A product whose services can be replaced one at a time by changed copies. It has no demo, and its data is removed at the end. */
export class GuardedProduct {
  #processes
  #plan
  #logs
  #running = new Map()

  /** @param {import('../processes.js').Processes} processes @param {(() => void)[]} undo */
  static async start(processes, undo) {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-access-'))
    undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }))
    const { ports, release } = await reservePorts(1)
    undo.push(release)
    const settings = readSettings([], { PORT: String(ports.gateway.port), DATA_DIR: dataDir })
    const product = new GuardedProduct()
    product.#processes = processes
    product.#plan = { settings, secrets: loadSecrets(dataDir), ports }
    product.#logs = new Logs(path.join(dataDir, 'logs'))
    await product.#start()
    return product
  }

  get baseUrl() {
    return this.#plan.settings.publicUrl
  }

  get sandboxUrl() {
    return sandboxUrl(this.#plan)
  }

  get ports() {
    return this.#plan.ports
  }

  /** How the owner of the server logs in to the database. */
  get databaseUrl() {
    return ownerUrl(this.#plan)
  }

  /** Ends services and starts them again, from these files or from their own; resolves when the product is ready. */
  async restart(entries) {
    await Promise.all(Object.keys(entries).map(name => this.#processes.end(this.#running.get(name))))
    for (const [name, entry] of Object.entries(entries)) this.#run(name, entry)
    await this.#ready()
  }

  async #start() {
    const { ports, secrets, settings } = this.#plan
    const folder = path.join(settings.dataDir, 'postgres')
    const database = { folder, port: ports.postgres, password: secrets.postgresPassword, settings: DATABASE_SETTINGS }
    await startPostgres(this.#processes, this.#logs, database)
    await runTask(this.#processes, 'migrate', process.execPath, [path.join(ROOT, entryIn('tools/migrate'))], {
      env: migrateEnvironment(this.#plan),
      failure: 'The database could not be brought up to date; this is what the migration printed:',
    })
    for (const name of TOPOLOGY.processes.keys()) this.#run(name)
    await this.#ready()
  }

  #run(name, entry = entryOf(name)) {
    const log = this.#logs.open(name)
    const args = [...nodeOptionsOf(name), '--import', PARENT_WATCH, entry ?? entryOf(name)]
    const env = environments(this.#plan)(name)
    const options = {
      env,
      output: log.descriptor,
      tied: true,
      stops: name === 'gateway' ? STOPS.ingress : STOPS.services,
    }
    this.#running.set(name, this.#processes.spawn(name, process.execPath, args, options))
    fs.closeSync(log.descriptor)
  }

  #ready() {
    return waitUntilReady(this.baseUrl, () => {})
  }
}
