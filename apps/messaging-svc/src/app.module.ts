import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database'
import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { config } from './config.js'
import { DealEventsConsumer } from './deal-events/deal-events.consumer.js'
import { DealEventsService } from './deal-events/deal-events.service.js'
import { Deal } from './deals/deal.entity.js'
import { DealsService } from './deals/deals.service.js'
import { Message } from './messages/message.entity.js'
import { MessagesController } from './messages/messages.controller.js'
import { MessagesService } from './messages/messages.service.js'
import { PostingLimit } from './messages/posting-limit.js'
import { plan } from './migrations/plan.js'
import { Notification } from './notifications/notification.entity.js'
import { NotificationsController } from './notifications/notifications.controller.js'
import { NotificationsService } from './notifications/notifications.service.js'

const entities = [Deal, Message, Notification]
const { schema, service, migrations } = plan

@Module({
  imports: [
    databaseModule({ url: config.DATABASE_URL, schema, entities, migrations }),
    TypeOrmModule.forFeature(entities),
    eventsModule({ service, schema, databaseUrl: config.DATABASE_URL }),
  ],
  controllers: [DealEventsConsumer, MessagesController, NotificationsController],
  providers: [DealEventsService, DealsService, MessagesService, NotificationsService, PostingLimit],
})
export class AppModule {}
