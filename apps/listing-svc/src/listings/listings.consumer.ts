import { type BatchContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { FOLLOWED, type FollowedEvent } from './followed-events.js'
import { ListingsService } from './listings.service.js'

/** Changes the status of listings by the events of their deals. */
@Controller()
export class ListingsConsumer {
  constructor(private readonly listings: ListingsService) {}

  @OnEvent(FOLLOWED, { consumer: 'listings', batch: true })
  follow(events: readonly FollowedEvent[], { manager }: BatchContext): Promise<void> {
    return this.listings.follow(events, manager)
  }
}
