import { Module } from '@nestjs/common'
import { BillingModule } from '../billing/billing.module.js'
import { DealsModule } from '../deals/deals.module.js'
import { PayoutsModule } from '../payouts/payouts.module.js'
import { ProviderModule } from '../provider/provider.module.js'
import { AccountFeesService } from './account-fees.service.js'
import { CancellationService } from './cancellation.service.js'
import { CardsUsed } from './cards-used.js'
import { ChargebackFeesService } from './chargeback-fees.service.js'
import { ChargebackMetrics } from './chargeback-metrics.js'
import { ChargebacksService } from './chargebacks.service.js'
import { CryptoEventsService } from './crypto/crypto-events.service.js'
import { CryptoFundsService } from './crypto/crypto-funds.service.js'
import { CryptoPaymentsRepository } from './crypto/crypto-payments.repository.js'
import { CryptoPaymentsService } from './crypto/crypto-payments.service.js'
import { CryptoProcessor } from './crypto/crypto-processor.js'
import { CryptoRefundsService } from './crypto/crypto-refunds.service.js'
import { EventsForOperators } from './events-for-operators.js'
import { FundsService } from './funds.service.js'
import { OpenPaymentsService } from './open-payments.service.js'
import { PayersService } from './payers.service.js'
import { PaymentsController } from './payments.controller.js'
import { PaymentsRepository } from './payments.repository.js'
import { PaymentsService } from './payments.service.js'
import { PaymentsTimers } from './payments.timers.js'
import { ProviderDaysService } from './provider-days.service.js'
import { ProviderFeesService } from './provider-fees.service.js'
import { ProviderRefundsService } from './provider-refunds.service.js'
import { QuotesService } from './quotes.service.js'
import { RefundMetrics } from './refund-metrics.js'
import { RefundProgressService } from './refund-progress.service.js'
import { RefundsService } from './refunds.service.js'
import { StripeProvider } from './stripe.provider.js'
import { TakenBackTransfersService } from './taken-back-transfers.service.js'
import { UnhandledEvents } from './unhandled-events.js'
import { WebhookEventsCleanup } from './webhook-events-cleanup.js'

/** Everything that needs the payment provider or the crypto processor: charges, refunds, fees, and cancelling an unpaid deal. */
@Module({
  imports: [DealsModule, PayoutsModule, BillingModule, ProviderModule],
  controllers: [PaymentsController],
  providers: [
    StripeProvider,
    CardsUsed,
    PaymentsRepository,
    PaymentsService,
    PayersService,
    OpenPaymentsService,
    QuotesService,
    CryptoProcessor,
    CryptoPaymentsRepository,
    CryptoFundsService,
    CryptoPaymentsService,
    CryptoRefundsService,
    CryptoEventsService,
    FundsService,
    ChargebacksService,
    ChargebackFeesService,
    RefundsService,
    TakenBackTransfersService,
    RefundProgressService,
    RefundMetrics,
    ChargebackMetrics,
    EventsForOperators,
    ProviderRefundsService,
    ProviderFeesService,
    AccountFeesService,
    ProviderDaysService,
    CancellationService,
    PaymentsTimers,
    UnhandledEvents,
    WebhookEventsCleanup,
  ],
  exports: [CardsUsed],
})
export class PaymentsModule {}
