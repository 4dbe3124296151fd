import {
  type PayloadOf,
  transactionCancelled,
  transactionChargebackClosed,
  transactionRefundFailed,
} from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { ProviderDisputesService } from './provider-disputes.service.js'

/** Closes disputes when their deal is cancelled, or goes on because the payment provider no longer stops it. */
@Controller()
export class ProviderDisputesConsumer {
  constructor(private readonly disputes: ProviderDisputesService) {}

  @OnEvent(transactionChargebackClosed, { consumer: 'chargebacks' })
  bankDecided(deal: PayloadOf<typeof transactionChargebackClosed>, { manager }: OnceContext): Promise<void> {
    return this.disputes.followProvider(deal, manager)
  }

  @OnEvent(transactionRefundFailed, { consumer: 'failed-refunds' })
  refundFailed(deal: PayloadOf<typeof transactionRefundFailed>, { manager }: OnceContext): Promise<void> {
    return this.disputes.followProvider(deal, manager)
  }

  @OnEvent(transactionCancelled, { consumer: 'cancelled-deals' })
  dealCancelled(deal: PayloadOf<typeof transactionCancelled>, { manager }: OnceContext): Promise<void> {
    return this.disputes.followCancelled(deal, manager)
  }
}
