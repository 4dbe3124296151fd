import { transactionCompleted } from '@holdfast/contracts/events'
import { type BatchContext, type HandledEvent, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { CompletedTransactionsService } from './completed-transactions.service.js'

@Controller()
export class CompletedTransactionsConsumer {
  constructor(private readonly transactions: CompletedTransactionsService) {}

  @OnEvent(transactionCompleted, { consumer: 'completed-transactions', batch: true })
  completed(events: readonly HandledEvent<typeof transactionCompleted>[], { manager }: BatchContext): Promise<void> {
    return this.transactions.count(
      events.map(event => event.payload),
      manager,
    )
  }
}
