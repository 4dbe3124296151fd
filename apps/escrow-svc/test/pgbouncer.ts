import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { answersAt, freePort } from '@holdfast/engines/ports'
import { eventually } from '@holdfast/testing/eventually'

const STARTED_WITHIN_MS = 10_000
/** Fewer than TypeORM's pool has, so that sessions are shared. */
const SERVER_CONNECTIONS = 3

/** The program pgbouncer in front of a database, in transaction mode. */
export class PgBouncer {
  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    readonly url: string,
  ) {}

  /**
   * @param program the path of pgbouncer
   * @param directUrl the login for which it gives out connections
   */
  static async start(program: string, directUrl: string): Promise<PgBouncer> {
    const { hostname, port, username, password } = new URL(directUrl)
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-pgbouncer-'))
    const own = await freePort()
    const users = path.join(folder, 'users.txt')
    const settings = path.join(folder, 'pgbouncer.ini')
    fs.writeFileSync(users, `"${username}" "${password}"\n`)
    fs.writeFileSync(
      settings,
      `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
`,
    )
    fs.chmodSync(folder, 0o755)
    // It does not run as root.
    const account = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
    const child = spawn(program, ['-q', ...account, settings], { stdio: 'ignore' })
    await eventually(() => answersAt(own), STARTED_WITHIN_MS)
    const url = new URL(directUrl)
    url.port = String(own)
    return new PgBouncer(child, folder, url.href)
  }

  async stop(): Promise<void> {
    const ended = new Promise(resolve => this.process.once('exit', resolve))
    this.process.kill('SIGQUIT')
    await ended
    fs.rmSync(this.folder, { recursive: true })
  }
}
