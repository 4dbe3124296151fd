import { Module } from '@nestjs/common'
import { DealEventsConsumer } from './deal-events.consumer.js'
import { DealEventsService } from './deal-events.service.js'

/** Makes system messages and notifications from the events of deals. */
@Module({ controllers: [DealEventsConsumer], providers: [DealEventsService] })
export class DealEventsModule {}
