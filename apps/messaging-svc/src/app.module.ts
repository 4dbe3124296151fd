import { eventsModule } from '@holdfast/events/events.module'
import { databaseModule } from '@holdfast/service-kit/database/database'
import { type DynamicModule, Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'
import { MESSAGING_CONFIG, type MessagingConfig } from './config.js'
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

@Module({})
class AppModule {}

/** The whole service, as its configuration says. */
export function appModule(config: MessagingConfig): DynamicModule {
  const { DATABASE_URL: databaseUrl } = config
  return {
    module: AppModule,
    imports: [
      databaseModule({ url: databaseUrl, schema, entities, migrations }),
      TypeOrmModule.forFeature(entities),
      eventsModule({ service, schema, databaseUrl }),
    ],
    controllers: [DealEventsConsumer, MessagesController, NotificationsController],
    providers: [
      { provide: MESSAGING_CONFIG, useValue: config },
      DealEventsService,
      DealsService,
      MessagesService,
      NotificationsService,
      PostingLimit,
    ],
  }
}
