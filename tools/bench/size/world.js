import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { Logs } from '../../dev/logs.js'
import { phase } from '../../dev/output.js'
import { reservePorts } from '../../dev/ports.js'
import { startPostgres } from '../../dev/postgres.js'
import { startProduct } from '../../dev/product.js'
import { loadSecrets } from '../../dev/secrets.js'
import { FILL_SETTINGS, fill } from './fill.js'

const FILLED = 'filled.json'

/**
 * Starts the product on a database with `count` deals. Answers what `startWorld` answers, and `count`.
 * @param {string | undefined} folder a data folder to keep: one that has been filled already is used as it is
 */
export async function startFilledWorld(processes, undo, count, folder) {
  const dataDir = folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'))
  if (!folder) undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  if (!fs.existsSync(path.join(dataDir, FILLED))) await makeFilled(processes, dataDir, count)
  const { product, ready } = await started(processes, undo, dataDir)
  const { webhook, server } = logins(dataDir, ready.ports.postgres)
  const database = new pg.Pool({ ...server, max: 2 })
  return {
    ...{ count, server, database, dataDir, webhookSecret: webhook, ports: ready.ports },
    gatewayPort: Number(new URL(ready.baseUrl).port),
    async stop() {
      await database.end()
      await product.stop()
    },
  }
}

/** The product makes the tables; then PostgreSQL alone runs, with settings that make the filling fast. */
async function makeFilled(processes, dataDir, count) {
  const { product } = await started(processes, [], dataDir)
  await product.stop()
  const { ports, release } = await reservePorts(0)
  const { password, server } = logins(dataDir, ports.postgres)
  const entry = await startPostgres(processes, new Logs(path.join(dataDir, 'fill-logs')), {
    ...{ folder: path.join(dataDir, 'postgres'), port: ports.postgres, password, settings: FILL_SETTINGS },
  })
  await phase(`Filling in ${count} deals`, note => fill(server, count, note))
  entry.child.kill(entry.stopSignal)
  await entry.exited
  release()
  // The server has not waited for the disk. What is left to write would disturb the measurement.
  await phase('Writing to the disk', () => spawnSync('sync'))
  fs.writeFileSync(path.join(dataDir, FILLED), JSON.stringify({ count }))
}

async function started(processes, undo, dataDir) {
  const { ports, release } = await reservePorts(1)
  undo.push(release)
  const product = startProduct(processes, {
    env: { DATA_DIR: dataDir, PORT: String(ports.gateway.port) },
    args: ['--no-demo'],
  })
  return { product, ready: await product.ready }
}

function logins(dataDir, port) {
  const { postgresPassword: password, stripeWebhookSecret: webhook } = loadSecrets(dataDir)
  return { password, webhook, server: { host: '127.0.0.1', port, user: 'postgres', password, database: 'holdfast' } }
}
