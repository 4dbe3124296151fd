import { Module } from '@nestjs/common'
import { AccountModule } from './account/account.module.js'
import { ConsoleModule } from './console/console.module.js'
import { ContactsModule } from './contacts/contacts.module.js'
import { ConversationsModule } from './conversations/conversations.module.js'
import { DealsModule } from './deals/deals.module.js'
import { DisputesModule } from './disputes/disputes.module.js'
import { IngressModule } from './ingress/ingress.module.js'
import { ListingsModule } from './listings/listings.module.js'
import { LiveModule } from './live/live.module.js'
import { PaymentsModule } from './payments/payments.module.js'
import { PeopleModule } from './people/people.module.js'
import { ReceiptsModule } from './receipts/receipts.module.js'
import { ReviewsModule } from './reviews/reviews.module.js'
import { ServicesModule } from './services/services.module.js'

/** The modules of the gateway itself. `service.ts` adds the event log and the forwarded routes. */
@Module({
  imports: [
    ServicesModule,
    IngressModule,
    PeopleModule,
    ConversationsModule,
    ContactsModule,
    DealsModule,
    DisputesModule,
    ListingsModule,
    ReviewsModule,
    PaymentsModule,
    ReceiptsModule,
    ConsoleModule,
    LiveModule,
    AccountModule,
  ],
})
export class AppModule {}
