import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { phase } from '../dev/output.js'
import { reservePorts } from '../dev/ports.js'
import { startProduct } from '../dev/product.js'
import { loadSecrets } from '../dev/secrets.js'
import { startBareListing } from './bare-listing-process.js'
import { preparePeopleAndListings } from './prepare.js'
import { prepareTpcb } from './tpcb.js'

/**
 * Starts the product as `npm start` does, on the Node that runs this script, and what it is compared with: tables for TPC-B on
 * the same server, and the bare listing handler. Answers `{ server, database, dataDir, webhookSecret, gatewayPort, barePort, stop }`.
 * `server` has what its owner needs to log in, `database` is a pool on the product's database.
 */
export async function startWorld(processes, undo, settings) {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-bench-'))
  undo.push(() => fs.rmSync(dataDir, { recursive: true, force: true }))
  const { ports, release } = await reservePorts(1)
  undo.push(release)
  const product = startProduct(processes, {
    env: { DATA_DIR: dataDir, PORT: String(ports.gateway.port) },
    args: ['--no-demo'],
    echo: text => process.stdout.write(text),
  })
  const ready = await product.ready
  const secrets = loadSecrets(dataDir)
  const server = { host: '127.0.0.1', port: ready.ports.postgres, user: 'postgres', password: secrets.postgresPassword }
  const database = new pg.Pool({ ...server, database: 'holdfast', max: 2 })
  await phase('Preparing TPC-B', () => prepareTpcb(server, settings))
  await phase('Preparing people and listings', () => preparePeopleAndListings(database))
  const bare = await startBareListing(processes, { ...server, database: 'holdfast' })
  return {
    server,
    database,
    dataDir,
    webhookSecret: secrets.stripeWebhookSecret,
    gatewayPort: Number(new URL(ready.baseUrl).port),
    barePort: bare.port,
    async stop() {
      await database.end()
      await product.stop()
    },
  }
}
