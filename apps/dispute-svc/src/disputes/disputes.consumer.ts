import { type PayloadOf, transactionDisputed, transactionDisputeEnded } from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { DisputesService } from './disputes.service.js'

/** Follows the events of the escrow. */
@Controller()
export class DisputesConsumer {
  constructor(private readonly disputes: DisputesService) {}

  @OnEvent(transactionDisputed, { consumer: 'disputes' })
  frozen(deal: PayloadOf<typeof transactionDisputed>, { manager }: OnceContext): Promise<void> {
    return this.disputes.followFrozen(deal, manager)
  }

  @OnEvent(transactionDisputeEnded, { consumer: 'ended-disputes' })
  ended(deal: PayloadOf<typeof transactionDisputeEnded>, { manager }: OnceContext): Promise<void> {
    return this.disputes.closeBySystem(deal, manager)
  }
}
