import { type PayloadOf, transactionChargebackClosed } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { BankDisputesService } from './bank-disputes.service.js'

/** Follows what the buyers' banks decide. */
@Controller()
export class BankDisputesConsumer {
  constructor(private readonly disputes: BankDisputesService) {}

  @OnEvent(transactionChargebackClosed, { consumer: 'bank-decisions' })
  decided(deal: PayloadOf<typeof transactionChargebackClosed>, { manager }: OnceContext): Promise<void> {
    return this.disputes.decided(deal, manager)
  }
}
