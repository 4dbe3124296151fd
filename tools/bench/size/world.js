import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Logs } from '../../dev/logs.js'
import { phase } from '../../dev/output.js'
import { ownerPool } from '../../dev/owner-pool.js'
import { reservePorts } from '../../dev/ports.js'
import { startPostgres } from '../../dev/postgres.js'
import { startProduct } from '../../dev/product.js'
import { loadSecrets } from '../../dev/secrets.js'
import { FILL_SETTINGS, fill } from './fill.js'

const FILLED = 'filled.json'

/**
 * Starts the product on a database with `count` deals. Answers what `startBenchedProduct` answers, `count` and the product's `ports`.
 * @param {import('../../dev/processes.js').Processes} processes
 * @param {(() => unknown)[]} undo
 * @param {number} count
 * @param {string} [folder] a data folder to keep: one that has been filled already is used as it is
 */
export async function startFilledWorld(processes, undo, count, folder) {
  const dataDir = folder ?? fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'))
  if (!folder) undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  if (!fs.existsSync(path.join(dataDir, FILLED))) await makeFilled(processes, undo, dataDir, count)
  // A run that was stopped while it recorded plans has left its settings here (plans.js). They would slow this one down.
  fs.writeFileSync(path.join(dataDir, 'postgres/postgresql.auto.conf'), '')
  const { product, baseUrl, ports } = await started(processes, undo, dataDir)
  const { webhook, server } = logins(dataDir, ports.postgres)
  const database = ownerPool({ dataDir, ports }, 2)
  return {
    count,
    server,
    database,
    dataDir,
    webhookSecret: webhook,
    ports,
    gatewayPort: Number(new URL(baseUrl).port),
    async stop() {
      await database.end()
      await product.stop()
    },
  }
}

/** The product makes the tables; then PostgreSQL alone runs, with settings that make the filling fast. */
async function makeFilled(processes, undo, dataDir, count) {
  const { product } = await started(processes, undo, dataDir)
  await product.stop()
  const { ports, release } = await reservePorts(0)
  undo.push(release)
  const { password, server } = logins(dataDir, ports.postgres)
  const entry = await startPostgres(processes, new Logs(path.join(dataDir, 'fill-logs')), {
    folder: path.join(dataDir, 'postgres'),
    port: ports.postgres,
    password,
    settings: FILL_SETTINGS,
  })
  await phase(`Filling in ${count} deals`, note => fill(server, count, note))
  entry.child.kill(entry.stopSignal)
  await entry.exited
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
  return { product, ...(await product.ready) }
}

function logins(dataDir, port) {
  const { postgresPassword: password, stripeWebhookSecret: webhook } = loadSecrets(dataDir)
  return { password, webhook, server: { host: '127.0.0.1', port, user: 'postgres', password, database: 'holdfast' } }
}
