import { phase } from '../dev/output.js'
import { ownerPool } from '../dev/owner-pool.js'
import { startScratchProduct } from '../dev/scratch-product.js'
import { loadSecrets } from '../dev/secrets.js'
import { startBareListing } from './bare-listing-process.js'
import { preparePeopleAndListings } from './prepare.js'
import { prepareTpcb } from './tpcb.js'

/** Starts the product of `startBenchedProduct`, and what it is compared with: TPC-B on its server, and the bare listing handler. */
export async function startWorld(processes, undo, settings) {
  const product = await startBenchedProduct(processes, undo)
  await phase('Preparing TPC-B', () => prepareTpcb(product.server, settings))
  const bare = await startBareListing(processes, { ...product.server, database: 'holdfast' })
  return { ...product, barePort: bare.port }
}

/**
 * Starts the product as `npm start` does, on the Node that runs this script, with people and listings. Answers
 * `{ server, database, dataDir, ports, webhookSecret, gatewayPort, stop }`. `server` has what its owner needs to log in, `database` is a
 * pool on the product's database.
 */
export async function startBenchedProduct(processes, undo, env = {}) {
  const { baseUrl, ports, dataDir, stop } = await startScratchProduct(processes, undo, 'bench', ['--no-demo'], env)
  const secrets = loadSecrets(dataDir)
  const server = { host: '127.0.0.1', port: ports.postgres, user: 'postgres', password: secrets.postgresPassword }
  const database = ownerPool({ dataDir, ports }, 2)
  await phase('Preparing people and listings', () => preparePeopleAndListings(database))
  return {
    server,
    database,
    dataDir,
    ports,
    webhookSecret: secrets.stripeWebhookSecret,
    gatewayPort: Number(new URL(baseUrl).port),
    async stop() {
      await database.end()
      await stop()
    },
  }
}
