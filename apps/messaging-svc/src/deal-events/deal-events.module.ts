import { Module } from '@nestjs/common'
import { DealEventsConsumer } from './deal-events.consumer.js'
import { DealEventsService } from './deal-events.service.js'

/** What the events of a deal become: system messages in its chat, and notifications of its parties. */
@Module({ controllers: [DealEventsConsumer], providers: [DealEventsService] })
export class DealEventsModule {}
