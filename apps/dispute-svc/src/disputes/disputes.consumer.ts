import { type PayloadOf, transactionDisputed } from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { DisputesService } from './disputes.service.js'

/** What the escrow tells us. */
@Controller()
export class DisputesConsumer {
  constructor(private readonly disputes: DisputesService) {}

  @OnEvent(transactionDisputed)
  openBySystem(deal: PayloadOf<typeof transactionDisputed>, { event }: EventContext): Promise<void> {
    return this.disputes.openBySystem(deal, event)
  }
}
