import pg from 'pg'
import { phase } from '../dev/output.js'
import { startScratchProduct } from '../dev/scratch-product.js'
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
  const { baseUrl, ports, dataDir, stop } = await startScratchProduct(processes, undo, 'bench', ['--no-demo'])
  const secrets = loadSecrets(dataDir)
  const server = { host: '127.0.0.1', port: ports.postgres, user: 'postgres', password: secrets.postgresPassword }
  const database = new pg.Pool({ ...server, database: 'holdfast', max: 2 })
  await phase('Preparing TPC-B', () => prepareTpcb(server, settings))
  await phase('Preparing people and listings', () => preparePeopleAndListings(database))
  const bare = await startBareListing(processes, { ...server, database: 'holdfast' })
  return {
    server,
    database,
    dataDir,
    webhookSecret: secrets.stripeWebhookSecret,
    gatewayPort: Number(new URL(baseUrl).port),
    barePort: bare.port,
    async stop() {
      await database.end()
      await stop()
    },
  }
}
