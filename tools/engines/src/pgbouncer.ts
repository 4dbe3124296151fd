import fs from 'node:fs'
import path from 'node:path'
import { EngineProcess } from './engine-process.js'
import { answersAt, freePort } from './ports.js'

/** A running pgbouncer in transaction mode, in front of a PostgreSQL of this machine. */
export interface PgBouncerEngine {
  readonly port: number
  readonly process: EngineProcess
}

/** How many sessions of the server each role has. It is fewer than TypeORM's pool has, so that sessions are shared. */
export const POOLER_SESSIONS = 5
/** More than the most replicas that `npm start` runs open. */
const MAX_CLIENTS = 400
/** The uid and gid of the account `nobody` on Unix. */
const NOBODY = 65_534

/**
 * Starts pgbouncer. Every role may ask it for its state (`SHOW POOLS` in the database `pgbouncer`).
 * @param folder of its settings and its log
 * @param program the path of pgbouncer
 * @param serverPort the port of the PostgreSQL
 * @param passwords of the roles that log in
 */
export async function startPgBouncer(
  folder: string,
  program: string,
  serverPort: number,
  passwords: Readonly<Record<string, string>>,
): Promise<PgBouncerEngine> {
  const port = await freePort()
  const roles = Object.keys(passwords)
  const users = path.join(folder, 'users.txt')
  const settings = path.join(folder, 'pgbouncer.ini')
  fs.writeFileSync(users, roles.map(role => `"${role}" "${passwords[role]}"\n`).join(''), { mode: 0o600 })
  fs.writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
stats_users = ${roles.join(', ')}
pool_mode = transaction
default_pool_size = ${POOLER_SESSIONS}
max_client_conn = ${MAX_CLIENTS}
server_login_retry = 1
log_connections = 0
log_disconnections = 0
`,
  )
  const [file, ...args] = [...asNobody(), program, settings]
  const process = new EngineProcess({
    name: 'pgbouncer',
    file: file!,
    args,
    logFile: path.join(folder, 'pgbouncer.log'),
    isReady: () => answersAt(port),
    withinMs: 10_000,
  })
  await process.start()
  return { port, process }
}

/**
 * pgbouncer does not run as root. As another account it must still reach its files, which lie below folders that only root may enter. A change of
 * the account also makes the kernel forget that the process ends with its parent, so that is said again.
 */
function asNobody(): string[] {
  if (process.getuid?.() !== 0) return []
  const account = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
  const reach = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override']
  return ['setpriv', ...account, ...reach, '--pdeathsig', 'KILL']
}
