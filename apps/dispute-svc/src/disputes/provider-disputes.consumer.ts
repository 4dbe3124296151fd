import {
  type PayloadOf,
  transactionCancelled,
  transactionChargebackClosed,
  transactionChargebackOpened,
  transactionRefundFailed,
} from '@holdfast/contracts/events'
import { type OnceContext, OnEvent } from '@holdfast/events/consumer/on-event'
import { Controller } from '@nestjs/common'
import { ProviderDisputesService } from './provider-disputes.service.js'

/** Stops the time limits of disputes while a bank decides, and closes disputes whose deal is cancelled or goes on. */
@Controller()
export class ProviderDisputesConsumer {
  constructor(private readonly disputes: ProviderDisputesService) {}

  @OnEvent(transactionChargebackOpened, { consumer: 'opened-chargebacks' })
  chargebackOpened(deal: PayloadOf<typeof transactionChargebackOpened>, { manager }: OnceContext): Promise<void> {
    return this.disputes.followChargebackOpened(deal, manager)
  }

  @OnEvent(transactionChargebackClosed, { consumer: 'chargebacks' })
  chargebackClosed(deal: PayloadOf<typeof transactionChargebackClosed>, { manager }: OnceContext): Promise<void> {
    return this.disputes.followChargebackClosed(deal, manager)
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
