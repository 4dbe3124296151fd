import { createPool } from '@holdfast/service-kit/database/pool'
import { CONFIG, directUrl } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common'
import type pg from 'pg'
import { BROWSE_READS, type BrowseReads, ReplicaReads } from './browse-reads.js'
import type { ListingConfig } from './config.js'
import { plan } from './migrations/plan.js'

/** Injection token of the connections for reading, a `pg.Pool`. */
export const READ_POOL = Symbol('pool for reading')

/**
 * Batches of single listings, of pictures and of scaled pictures use one connection each, because one batch of each kind runs
 * at a time. The other connections are for lists.
 */
export const READ_POOL_SIZE = 6

const readPool = (config: ListingConfig) => createPool(directUrl(config), { schema: plan.schema, max: READ_POOL_SIZE })

/** The connections to a replica are as many, and are no part of `CONNECTIONS`: its server has limits of its own. */
function browseReads(config: ListingConfig, primary: pg.Pool): BrowseReads {
  const { DATABASE_READ_URL: url } = config
  if (url === undefined) return primary
  const replica = createPool(url, { schema: plan.schema, max: READ_POOL_SIZE, name: 'replica' })
  return new ReplicaReads(replica, primary, READ_POOL_SIZE, config)
}

/** Connections for reading. */
@Module({
  providers: [
    { provide: READ_POOL, inject: [CONFIG], useFactory: readPool },
    { provide: BROWSE_READS, inject: [CONFIG, READ_POOL], useFactory: browseReads },
  ],
  exports: [READ_POOL, BROWSE_READS],
})
export class ReadPoolModule implements OnApplicationShutdown {
  constructor(@Inject(READ_POOL) private readonly pool: pg.Pool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end()
  }
}
