import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { prepareDeals, preparePeopleAndListings, signListings } from '../bench/prepare.js'
import { startScratchEngines } from '../dev/distributed.js'
import { phase } from '../dev/output.js'
import { ownerPool } from '../dev/owner-pool.js'
import { startScratchProduct } from '../dev/scratch-product.js'
import { loadSecrets } from '../dev/secrets.js'
import { TOPOLOGY } from '../dev/topology.js'
import { TlsServer } from './certificate.js'
import { SmallDisk } from './disk.js'
import { startExporters } from './exporters.js'
import { Load } from './load.js'
import { Prometheus } from './prometheus.js'

/** The certificate of an ordinary day. */
export const USUAL_DAYS = 60

/**
 * Starts the product on Kafka, Redis and S3 without a demo, a small load, the exporters of a cluster, and a Prometheus that reads them all.
 * Adds to `undo` what ends them.
 * @param {number} seconds for how long there must be deals for the load
 */
export async function startWorld(processes, undo, seconds) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'holdfast-faults-watch-'))
  undo.push(() => fs.rmSync(folder, { recursive: true, force: true }))
  const engines = await startScratchEngines(processes, undo, 'faults')
  const product = await startScratchProduct(
    processes,
    undo,
    'faults',
    ['--no-demo', '--distributed'],
    engines.environment,
  )
  const secrets = loadSecrets(product.dataDir)
  const database = ownerPool(product, 4)
  undo.push(() => database.end())
  const deals = await phase('Preparing people, listings and deals', async () => {
    await preparePeopleAndListings(database)
    await signListings(database)
    return prepareDeals(database, { count: seconds, hotSeller: false })
  })
  const load = new Load({ baseUrl: product.baseUrl, webhookSecret: secrets.stripeWebhookSecret, deals })
  load.start()
  undo.push(() => load.stop())

  const tls = new TlsServer(folder)
  const tlsUrl = await tls.start(USUAL_DAYS)
  undo.push(() => tls.stop())
  const disk = SmallDisk.mount(folder)
  if (disk) undo.push(() => disk.unmount())
  const watched = { redisUrl: engines.environment.REDIS_URL, mountPoint: disk?.mountPoint ?? null, tlsUrl }
  const exporters = await startExporters(undo, folder, watched)
  const replicas = replicasOf(product.ports)
  const prometheus = new Prometheus(path.join(folder, 'prometheus'), exporters)
  await phase('Starting Prometheus', () => prometheus.start(replicas))
  undo.push(() => prometheus.stop())
  return { product, secrets, engines, database, load, tls, disk, replicas, prometheus }
}

/** The product's processes as Prometheus finds them. */
const replicasOf = ports =>
  TOPOLOGY.services.map(service => ({ service, pod: `${service}-1`, opsPort: ports[service].opsPort }))
