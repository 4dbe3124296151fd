import { Module } from '@nestjs/common'
import { ProviderModule } from '../provider/provider.module.js'
import { BillingController } from './billing.controller.js'
import { BillingProvider } from './billing.provider.js'
import { BillingTimers } from './billing.timers.js'
import { CustomersService } from './customers.service.js'
import { SavedCardsService } from './saved-cards.service.js'
import { SubscriptionFeesService } from './subscription-fees.service.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'
import { SubscriptionsService } from './subscriptions.service.js'

/** Premium by subscription, and saved cards. */
@Module({
  imports: [ProviderModule],
  controllers: [BillingController],
  providers: [
    BillingProvider,
    CustomersService,
    SubscriptionsService,
    SubscriptionProgressService,
    SubscriptionFeesService,
    SavedCardsService,
    BillingTimers,
  ],
  exports: [CustomersService, SubscriptionsService, SubscriptionProgressService],
})
export class BillingModule {}
