import { Module } from '@nestjs/common'
import { PushConsumer } from './push.consumer.js'
import { PushController } from './push.controller.js'
import { PushSender } from './push-sender.js'
import { PushSubscriptionsService } from './push-subscriptions.service.js'

/** Push messages to the browsers in which users have switched them on. */
@Module({ controllers: [PushController, PushConsumer], providers: [PushSubscriptionsService, PushSender] })
export class PushModule {}
