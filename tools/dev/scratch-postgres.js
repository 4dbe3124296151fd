import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Logs } from './logs.js'
import { reservePorts } from './ports.js'
import { startPostgres } from './postgres.js'

// Removed after the tests, so it need not survive a power cut. Everything else is as in the product.
const SETTINGS = { fsync: 'off', wal_level: 'replica' }

/**
 * A real PostgreSQL for tests, in a temporary folder: `{ url, discard }`, `url` being a superuser's. It ends with
 * `processes`; `discard` removes its folder afterwards.
 * @param {import('./processes.js').Processes} processes
 */
export async function startScratchPostgres(processes) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-test-'))
  const { ports, release } = await reservePorts(randomBytes(2).readUInt16BE())
  const database = {
    folder: path.join(home, 'postgres'),
    port: ports.postgres,
    password: randomBytes(16).toString('hex'),
  }
  await startPostgres(processes, new Logs(path.join(home, 'logs')), { ...database, settings: SETTINGS })
  return {
    url: `postgres://postgres:${database.password}@127.0.0.1:${database.port}/postgres`,
    discard() {
      release()
      fs.rmSync(home, { recursive: true, force: true })
    },
  }
}
