import { Module } from '@nestjs/common'
import { BillingModule } from '../billing/billing.module.js'
import { ProviderModule } from '../provider/provider.module.js'
import { ConnectProvider } from './connect.provider.js'
import { PayoutAccountsService } from './payout-accounts.service.js'
import { PayoutMetrics } from './payout-metrics.js'
import { PayoutSendingService } from './payout-sending.service.js'
import { PayoutsConsumer } from './payouts.consumer.js'
import { PayoutsController } from './payouts.controller.js'
import { PayoutsService } from './payouts.service.js'
import { PayoutsTimers } from './payouts.timers.js'
import { ProviderPayoutsService } from './provider-payouts.service.js'

/** Pays sellers what was released to them, and records what the provider pays to us. */
@Module({
  imports: [ProviderModule, BillingModule],
  controllers: [PayoutsController, PayoutsConsumer],
  providers: [
    ConnectProvider,
    PayoutAccountsService,
    PayoutsService,
    PayoutSendingService,
    PayoutMetrics,
    ProviderPayoutsService,
    PayoutsTimers,
  ],
  exports: [PayoutsService, PayoutAccountsService, PayoutSendingService, ProviderPayoutsService],
})
export class PayoutsModule {}
