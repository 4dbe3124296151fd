import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database'
import { Module } from '@nestjs/common'
import { ImagesModule } from './images/images.module.js'
import { IdempotencyRecord } from './listings/idempotency-record.entity.js'
import { LegalAcceptanceEntity } from './listings/legal-acceptance.entity.js'
import { ListingEntity } from './listings/listing.entity.js'
import { ListingsModule } from './listings/listings.module.js'
import { plan } from './migrations/plan.js'
import { SellersModule } from './sellers/sellers.module.js'

/** Listings with their pictures and sellers. */
@Module({
  imports: [
    databaseModule({ ...plan, entities: [ListingEntity, LegalAcceptanceEntity, IdempotencyRecord] }),
    eventsModule(plan),
    ImagesModule,
    SellersModule,
    ListingsModule,
  ],
})
export class AppModule {}
