import { eventsModule } from '@holdfast/events/events.module'
import { mailModule } from '@holdfast/mail/mail.module'
import { Strangers } from '@holdfast/mail/readers'
import { databaseModule } from '@holdfast/service-kit/database/database.module'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { timersModule } from '@holdfast/timers/timers.module'
import { Module } from '@nestjs/common'
import { AccountsModule } from './accounts/accounts.module.js'
import { CONNECTIONS } from './connections.js'
import { ImagesModule } from './images/images.module.js'
import { InvitationsModule } from './invitations/invitations.module.js'
import { LegalAcceptanceEntity } from './listings/legal-acceptance.entity.js'
import { ListingEntity } from './listings/listing.entity.js'
import { ListingsModule } from './listings/listings.module.js'
import { plan } from './migrations/plan.js'
import { SellersModule } from './sellers/sellers.module.js'

/** Listings with their pictures and sellers, and invitations to private ones. */
@Module({
  imports: [
    databaseModule({ ...plan, connections: CONNECTIONS, entities: [ListingEntity, LegalAcceptanceEntity] }),
    eventsModule(plan),
    timersModule(plan),
    mailModule(Strangers),
    ImagesModule,
    SellersModule,
    ListingsModule,
    InvitationsModule,
    AccountsModule,
  ],
  providers: [IdempotencyCleanup],
})
export class AppModule {}
