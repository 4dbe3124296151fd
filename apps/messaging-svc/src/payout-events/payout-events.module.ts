import { Module } from '@nestjs/common'
import { NotificationsModule } from '../notifications/notifications.module.js'
import { PayoutEventsConsumer } from './payout-events.consumer.js'

/** Makes notifications from the events of payouts. */
@Module({ imports: [NotificationsModule], controllers: [PayoutEventsConsumer] })
export class PayoutEventsModule {}
