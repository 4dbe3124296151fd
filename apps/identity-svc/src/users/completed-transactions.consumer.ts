import { type PayloadOf, transactionCompleted } from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { CompletedTransactionsService } from './completed-transactions.service.js'

@Controller()
export class CompletedTransactionsConsumer {
  constructor(private readonly transactions: CompletedTransactionsService) {}

  @OnEvent(transactionCompleted)
  async completed(payload: PayloadOf<typeof transactionCompleted>, { event }: EventContext) {
    await this.transactions.count(event, payload)
  }
}
