import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Logs } from './logs.js'
import { reservePorts } from './ports.js'
import { startPostgres } from './postgres.js'
import { postgresAnswers } from './postgres-answers.js'
import { identityOf } from './process-identity.js'
import { Processes } from './processes.js'
import { until } from './wait.js'

describe('a PostgreSQL whose postmaster was killed', () => {
  const processes = new Processes()
  const others = []
  let home
  let reserved
  let logs
  let database

  beforeAll(async () => {
    home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-postgres-'))
    reserved = await reservePorts(54_321)
    logs = new Logs(path.join(home, 'logs'))
    database = { folder: path.join(home, 'postgres'), port: reserved.ports.postgres, password: 'scratch' }
  })
  afterAll(async () => {
    for (const other of others) other.kill('SIGKILL')
    await processes.close(new Promise(() => {}))
    logs.close()
    reserved.release()
    fs.rmSync(home, { recursive: true, force: true })
  })

  /** Starts a server, kills it with SIGKILL, and writes the number of another process into the pid file that it leaves. */
  async function killedAndRenumbered(pid) {
    const entry = await startPostgres(processes, logs, database)
    process.kill(entry.pid, 'SIGKILL')
    await entry.exited
    const file = path.join(database.folder, 'postmaster.pid')
    const [, ...rest] = fs.readFileSync(file, 'utf8').split('\n')
    fs.writeFileSync(file, [pid, ...rest].join('\n'))
  }

  /** The number of a process that has ended and whose parent does not ask for its exit code. */
  async function zombie() {
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] })
    others.push(parent)
    const pid = Number(await new Promise(resolve => parent.stdout.once('data', resolve)))
    await until(() => identityOf(pid) === null, { withinMs: 5_000, everyMs: 10 })
    process.kill(pid, 0)
    return pid
  }

  it('starts again although its number belongs to a zombie', async () => {
    await killedAndRenumbered(await zombie())
    const entry = await startPostgres(processes, logs, database)
    expect(await postgresAnswers(database.port)).toBe(true)
    process.kill(entry.pid, 'SIGINT')
    await entry.exited
  })

  it('starts again although its number belongs to another program now', async () => {
    const other = spawn('sleep', ['600'], { stdio: 'ignore' })
    others.push(other)
    await killedAndRenumbered(other.pid)
    const entry = await startPostgres(processes, logs, database)
    expect(await postgresAnswers(database.port)).toBe(true)
    expect(identityOf(other.pid)).not.toBeNull()
    process.kill(entry.pid, 'SIGINT')
    await entry.exited
  })
})
