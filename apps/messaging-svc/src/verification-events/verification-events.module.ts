import { Module } from '@nestjs/common'
import { NotificationsModule } from '../notifications/notifications.module.js'
import { VerificationEventsConsumer } from './verification-events.consumer.js'

/** Makes notifications from decisions about users' identity. */
@Module({ imports: [NotificationsModule], controllers: [VerificationEventsConsumer] })
export class VerificationEventsModule {}
