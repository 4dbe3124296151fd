import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { blocksOf, command, RUNBOOKS, run } from '../../e2e/support/runbooks.js'
import { build } from '../dev/build.js'
import { Logs } from '../dev/logs.js'
import { reservePorts } from '../dev/ports.js'
import { startPostgres } from '../dev/postgres.js'
import { ownFolder, unprivilegedAccount } from '../dev/postgres-account.js'
import { findPostgres } from '../dev/postgres-binaries.js'
import { Processes } from '../dev/processes.js'
import { TOPOLOGY } from '../dev/topology.js'

/** What every role logs in with. */
export const ROLE_PASSWORD = 'a password for tests'
const ROLE_PASSWORDS = JSON.stringify(Object.fromEntries(TOPOLOGY.roles.map(role => [role, ROLE_PASSWORD])))

/**
 * A server as the tests of a service know one.
 *
 * @param {Pick<import('@holdfast/testing/scratch-database').ScratchDatabase, 'admin' | 'url' | 'environment'>} server
 */
export const asScratchDatabase = server =>
  // A running service uses no more of it.
  /** @type {import('@holdfast/testing/scratch-database').ScratchDatabase} */ (server)

/** The only block of the page in a language that has some text. @throws Error when there is none, or several */
export function blockWith(language, text) {
  const found = blocksOf(RUNBOOKS['restore.md'], language).filter(block => block.includes(text))
  if (found.length !== 1) throw new Error(`${found.length} blocks of the runbook have ${language}: ${text}`)
  return found[0]
}

/**
 * For tests: a PostgreSQL server with the archive that the runbook asks for, and with the product's schemas. Its backups and restores are
 * made by the commands of docs/runbooks/restore.md, as they stand there.
 */
export class Rehearsal {
  processes = new Processes()
  /** @type {(() => void)[]} */
  releases = []
  // Known once it is prepared.
  home = ''
  store = ''
  adminUrl = ''
  /** @type {Logs} */
  logs
  /** @type {pg.Client} */
  db

  static async start() {
    const rehearsal = new Rehearsal()
    await rehearsal.prepare()
    return rehearsal
  }

  async prepare() {
    await build(this.processes, () => undefined, ['tools/migrate', 'apps/escrow-svc', '.build/packed'])
    this.home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-backup-'))
    this.logs = new Logs(path.join(this.home, 'logs'))
    this.store = path.join(this.home, 'store')
    const account = unprivilegedAccount(findPostgres().postgres)
    for (const folder of [this.store, path.join(this.store, 'wal')]) ownFolder(folder, account)
    const settings = Object.fromEntries(
      blockWith('ini', 'archive_mode')
        .replaceAll('/backup', this.store)
        .split('\n')
        .filter(Boolean)
        .map(line => line.split(' = ').map(part => part.replaceAll("'", ''))),
    )
    const { url } = await this.startServer('server', 7, { password: 'scratch', settings })
    this.adminUrl = url
    await this.migrate(url)
    this.db = new pg.Client(url)
    await this.db.connect()
  }

  async stop() {
    await this.db?.end()
    await this.processes.close(new Promise(() => {}))
    this.logs.close()
    for (const release of this.releases) release()
    fs.rmSync(this.home, { recursive: true, force: true })
  }

  /** Runs the migrations, which also give the roles their passwords. */
  async migrate(url) {
    const { status, output } = await this.run(command('restore.md', 'npm run migrate'), { DATABASE_ADMIN_URL: url })
    if (status !== 0) throw new Error(output)
  }

  /**
   * Runs a command of the runbook. The values that an operator chooses are variables. Resolves with its status and what it printed. Meanwhile
   * this process goes on: what a command calls may run in it.
   */
  async run(script, variables = {}) {
    const env = { DATABASE_ADMIN_URL: this.adminUrl, STORE: this.store, ROLE_PASSWORDS, ...variables }
    const { code = 0, stdout, stderr } = await run(script, { env }).catch(error => error)
    return { status: code, output: `${stdout}${stderr}` }
  }

  backup() {
    return this.run(command('restore.md', 'main.js backup'))
  }

  restore(time, folder) {
    return this.run(command('restore.md', 'main.js restore'), { TIME: time, FOLDER: path.join(this.home, folder) })
  }

  /** Starts a server on a restored folder, as the operator does. Answers its owner's address, and what stops it. */
  startRestored(folder) {
    return this.startServer(folder, 9, { password: '' })
  }

  /** The time of the server, in microseconds and with its zone. */
  async now() {
    return (await this.db.query('SELECT clock_timestamp()::text AS now')).rows[0].now
  }

  async startServer(folder, seed, options) {
    const { ports, release } = await reservePorts(seed)
    this.releases.push(release)
    const database = { folder: path.join(this.home, folder), port: ports.postgres, ...options }
    const entry = await startPostgres(this.processes, this.logs, database)
    const stop = async () => {
      process.kill(entry.pid, 'SIGINT')
      await entry.exited
    }
    return { url: `postgres://postgres:scratch@127.0.0.1:${database.port}/holdfast`, stop }
  }
}
