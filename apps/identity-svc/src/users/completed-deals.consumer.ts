import { transactionCompleted } from '@holdfast/contracts/events'
import { type BatchContext, type HandledEvent, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { CompletedDealsService } from './completed-deals.service.js'

@Controller()
export class CompletedDealsConsumer {
  constructor(private readonly deals: CompletedDealsService) {}

  @OnEvent(transactionCompleted, { consumer: 'completed-deals', batch: true })
  completed(events: readonly HandledEvent<typeof transactionCompleted>[], { manager }: BatchContext): Promise<void> {
    return this.deals.count(
      events.map(event => event.payload),
      manager,
    )
  }
}
