import { Module } from '@nestjs/common'
import { NotificationsModule } from '../notifications/notifications.module.js'
import { PlanEventsConsumer } from './plan-events.consumer.js'

/** Makes notifications from the events of plans. */
@Module({ imports: [NotificationsModule], controllers: [PlanEventsConsumer] })
export class PlanEventsModule {}
