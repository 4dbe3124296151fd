import { listingCreated, type PayloadOf } from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { OpeningService } from './opening.service.js'

/** Follows the events of other services. */
@Controller()
export class DealsConsumer {
  constructor(private readonly opening: OpeningService) {}

  /** A listing made for a chosen counterparty: its deal was opened by the same request, or is opened here. */
  @OnEvent(listingCreated, { idempotent: 'an offer has one deal: opening it again finds the deal that is there' })
  async openDeal({ terms }: PayloadOf<typeof listingCreated>, _context: EventContext): Promise<void> {
    if (terms.deal) await this.opening.openOnce({ terms, buyerId: terms.deal.buyerId, openedBy: terms.deal.openedBy })
  }
}
