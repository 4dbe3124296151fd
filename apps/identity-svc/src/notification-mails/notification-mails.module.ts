import { Module } from '@nestjs/common'
import { NotificationMailsConsumer } from './notification-mails.consumer.js'
import { NotificationMailsService } from './notification-mails.service.js'

/** Notifications that users want by mail. messaging-svc decides which; the addresses are known here. */
@Module({ controllers: [NotificationMailsConsumer], providers: [NotificationMailsService] })
export class NotificationMailsModule {}
