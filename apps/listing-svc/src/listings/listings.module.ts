import { createPool } from '@holdfast/service-kit/database/database'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Module } from '@nestjs/common'
import type { ListingConfig } from '../config.js'
import { ImagesModule } from '../images/images.module.js'
import { plan } from '../migrations/plan.js'
import { ListingsConsumer } from './listings.consumer.js'
import { ListingsController } from './listings.controller.js'
import { ListingsReader, READ_POOL } from './listings.reader.js'
import { ListingsRepository } from './listings.repository.js'
import { ListingsService } from './listings.service.js'
import { OfferLimit } from './offer-limit.js'

/** Connections for reading. One is for batches of single listings, which run one at a time; the others are for lists. */
const READ_POOL_SIZE = 4

const readPool = ({ DATABASE_URL }: ListingConfig) =>
  createPool(DATABASE_URL, { schema: plan.schema, max: READ_POOL_SIZE })

/** Listings and the agreements that were signed with them. */
@Module({
  imports: [ImagesModule],
  controllers: [ListingsController, ListingsConsumer],
  providers: [
    ListingsService,
    ListingsRepository,
    ListingsReader,
    OfferLimit,
    { provide: READ_POOL, inject: [CONFIG], useFactory: readPool },
  ],
})
export class ListingsModule {}
