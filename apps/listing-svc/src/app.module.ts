import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { Module } from '@nestjs/common'
import { ImagesModule } from './images/images.module.js'
import { LegalAcceptanceEntity } from './listings/legal-acceptance.entity.js'
import { ListingEntity } from './listings/listing.entity.js'
import { ListingsModule } from './listings/listings.module.js'
import { plan } from './migrations/plan.js'
import { SellersModule } from './sellers/sellers.module.js'

/** Listings with their pictures and sellers. */
@Module({
  imports: [
    databaseModule({ ...plan, entities: [ListingEntity, LegalAcceptanceEntity] }),
    eventsModule(plan),
    ImagesModule,
    SellersModule,
    ListingsModule,
  ],
  providers: [IdempotencyCleanup],
})
export class AppModule {}
