import { listingCreated, type PayloadOf } from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { OpeningService } from './opening.service.js'

/** Handles the events of other services. */
@Controller()
export class DealsConsumer {
  constructor(private readonly opening: OpeningService) {}

  /** Opens the deal of a listing that was made for a chosen counterparty, unless the same request has opened it already. */
  @OnEvent(listingCreated, {
    idempotent: 'a listing for one counterparty has one deal: opening it again finds that deal',
  })
  async openDeal({ terms }: PayloadOf<typeof listingCreated>, _context: EventContext): Promise<void> {
    if (terms.deal)
      await this.opening.openByEvent({ terms, buyerId: terms.deal.buyerId, openedBy: terms.deal.openedBy })
  }
}
