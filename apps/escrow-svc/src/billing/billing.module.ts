import { Module } from '@nestjs/common'
import { ProviderModule } from '../provider/provider.module.js'
import { BillingController } from './billing.controller.js'
import { BillingTimers } from './billing.timers.js'
import { BillingLimits } from './billing-limits.js'
import { CustomersProvider } from './customers.provider.js'
import { CustomersService } from './customers.service.js'
import { InvoiceReturnsService } from './invoice-returns.service.js'
import { PremiumPrices } from './premium-prices.js'
import { SavedCardsService } from './saved-cards.service.js'
import { SubscribingService } from './subscribing.service.js'
import { SubscriptionFeesService } from './subscription-fees.service.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'
import { SubscriptionViewsService } from './subscription-views.service.js'
import { SubscriptionsProvider } from './subscriptions.provider.js'
import { SubscriptionsService } from './subscriptions.service.js'
import { SuspensionsConsumer } from './suspensions.consumer.js'
import { SuspensionsService } from './suspensions.service.js'

/** Premium by subscription, and saved cards. */
@Module({
  imports: [ProviderModule],
  controllers: [BillingController, SuspensionsConsumer],
  providers: [
    PremiumPrices,
    SubscriptionsProvider,
    CustomersProvider,
    BillingLimits,
    CustomersService,
    SubscribingService,
    SubscriptionsService,
    SubscriptionViewsService,
    SubscriptionProgressService,
    SubscriptionFeesService,
    InvoiceReturnsService,
    SuspensionsService,
    SavedCardsService,
    BillingTimers,
  ],
  exports: [CustomersService, SubscriptionsService, SubscriptionProgressService, InvoiceReturnsService],
})
export class BillingModule {}
