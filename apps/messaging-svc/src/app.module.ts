import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database.module'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { Module } from '@nestjs/common'
import { AccountsModule } from './accounts/accounts.module.js'
import { BlocksModule } from './blocks/blocks.module.js'
import { CONNECTIONS } from './connections.js'
import { ConversationsModule } from './conversations/conversations.module.js'
import { DealEventsModule } from './deal-events/deal-events.module.js'
import { Deal } from './deals/deal.entity.js'
import { Message } from './messages/message.entity.js'
import { MessagesModule } from './messages/messages.module.js'
import { plan } from './migrations/plan.js'
import { Notification } from './notifications/notification.entity.js'
import { NotificationsModule } from './notifications/notifications.module.js'
import { PayoutEventsModule } from './payout-events/payout-events.module.js'
import { PlanEventsModule } from './plan-events/plan-events.module.js'
import { ReviewsModule } from './reviews/reviews.module.js'
import { VerificationEventsModule } from './verification-events/verification-events.module.js'

/** The chat of each deal, and notifications. */
@Module({
  imports: [
    databaseModule({ ...plan, connections: CONNECTIONS, entities: [Deal, Message, Notification] }),
    eventsModule(plan),
    BlocksModule,
    DealEventsModule,
    MessagesModule,
    ConversationsModule,
    NotificationsModule,
    PayoutEventsModule,
    PlanEventsModule,
    VerificationEventsModule,
    ReviewsModule,
    AccountsModule,
  ],
  providers: [IdempotencyCleanup],
})
export class AppModule {}
