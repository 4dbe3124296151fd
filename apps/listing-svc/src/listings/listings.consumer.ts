import {
  type PayloadOf,
  transactionCancelled,
  transactionCompleted,
  transactionOpened,
} from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { ListingsService } from './listings.service.js'

@Controller()
export class ListingsConsumer {
  constructor(private readonly listings: ListingsService) {}

  @OnEvent(transactionOpened)
  opened(deal: PayloadOf<typeof transactionOpened>, context: EventContext) {
    return this.listings.follow(deal, 'opened', context)
  }

  @OnEvent(transactionCancelled)
  cancelled(deal: PayloadOf<typeof transactionCancelled>, context: EventContext) {
    return this.listings.follow(deal, deal.wasFunded ? 'cancelled-funded' : 'cancelled-unfunded', context)
  }

  @OnEvent(transactionCompleted)
  completed(deal: PayloadOf<typeof transactionCompleted>, context: EventContext) {
    return this.listings.follow(deal, 'completed', context)
  }
}
