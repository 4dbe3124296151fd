import { createPool } from '@holdfast/service-kit/database/database'
import { type DynamicModule, Module } from '@nestjs/common'
import { plan } from '../migrations/plan.js'
import { ListingsConsumer } from './listings.consumer.js'
import { ListingsController } from './listings.controller.js'
import { ListingsReader, READ_POOL } from './listings.reader.js'
import { ListingsRepository } from './listings.repository.js'
import { ListingsService } from './listings.service.js'
import { OfferLimit } from './offer-limit.js'

/** Connections for reading: one batch of single listings is out at a time, the others serve lists. */
const READ_POOL_SIZE = 4

@Module({})
class ListingsModule {}

/** Listings. `images` is the module that exports `ImagesService`. */
export function listingsModule(databaseUrl: string, images: DynamicModule): DynamicModule {
  const readPool = () => createPool(databaseUrl, { schema: plan.schema, max: READ_POOL_SIZE })
  return {
    module: ListingsModule,
    imports: [images],
    controllers: [ListingsController, ListingsConsumer],
    providers: [
      ListingsService,
      ListingsRepository,
      ListingsReader,
      OfferLimit,
      { provide: READ_POOL, useFactory: readPool },
    ],
  }
}
