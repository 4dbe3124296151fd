import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database'
import { type DynamicModule, Module } from '@nestjs/common'
import type { ListingConfig } from './config.js'
import { imagesModule } from './images/images.module.js'
import { IdempotencyRecord } from './listings/idempotency-record.entity.js'
import { LegalAcceptanceEntity } from './listings/legal-acceptance.entity.js'
import { ListingEntity } from './listings/listing.entity.js'
import { listingsModule } from './listings/listings.module.js'
import { plan } from './migrations/plan.js'
import { SellersModule } from './sellers/sellers.module.js'

@Module({})
class AppModule {}

/** The whole service, as its configuration says. */
export function appModule({ DATABASE_URL: databaseUrl, STORAGE_URL: storageUrl }: ListingConfig): DynamicModule {
  const { schema, migrations } = plan
  const images = imagesModule(storageUrl)
  return {
    module: AppModule,
    imports: [
      databaseModule({
        url: databaseUrl,
        schema,
        migrations,
        entities: [ListingEntity, LegalAcceptanceEntity, IdempotencyRecord],
      }),
      eventsModule({ service: 'listing-svc', schema, databaseUrl }),
      images,
      SellersModule,
      listingsModule(databaseUrl, images),
    ],
  }
}
