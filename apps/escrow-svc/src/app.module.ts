import { eventsModule } from '@holdfast/events/events.module'
import { OutboxRelay } from '@holdfast/events/outbox/relay'
import { createPool, databaseModule } from '@holdfast/service-kit/database/database'
import { CONFIG, type DatabaseConfig } from '@holdfast/service-kit/lifecycle/config'
import { timersModule } from '@holdfast/timers/timers.module'
import { Module } from '@nestjs/common'
import { Deadlines } from './deals/deadlines.js'
import { ClockEntryEntity, DealEntity, TimelineEntity } from './deals/deal.entity.js'
import { DealQueries } from './deals/deal-queries.js'
import { DealsConsumer } from './deals/deals.consumer.js'
import { DealsController, DealsInternalController } from './deals/deals.controller.js'
import { DealsRepository, MONEY_CONNECTIONS } from './deals/deals.repository.js'
import { DealsService } from './deals/deals.service.js'
import { checkTransitions } from './deals/domain/transitions.js'
import { MoneyPool } from './deals/money-pool.js'
import { OpeningService } from './deals/opening.service.js'
import { EscrowTimers } from './escrow-timers.js'
import { LedgerService } from './ledger/ledger.service.js'
import { plan } from './migrations/plan.js'
import { DealPaymentsService } from './payments/deal-payments.service.js'
import { FundsService } from './payments/funds.service.js'
import { PaymentEntity, RefundEntity } from './payments/payment.entity.js'
import { PaymentsController } from './payments/payments.controller.js'
import { PaymentsRepository } from './payments/payments.repository.js'
import { PaymentsService } from './payments/payments.service.js'
import { ProviderFeesService } from './payments/provider-fees.service.js'
import { QuotesService } from './payments/quotes.service.js'
import { RefundsService } from './payments/refunds.service.js'
import { StripeProvider } from './payments/stripe.provider.js'
import { Retention } from './retention.js'
import { CarrierClient } from './tracking/carrier.client.js'
import { ParcelEntity } from './tracking/parcel.entity.js'
import { ParcelsService } from './tracking/parcels.service.js'

const { schema, migrations } = plan
const service = 'escrow-svc'

const DEALS = [DealsRepository, DealsService, OpeningService, DealQueries, Deadlines, LedgerService]
const PAYMENTS = [
  StripeProvider,
  PaymentsRepository,
  PaymentsService,
  QuotesService,
  FundsService,
  RefundsService,
  ProviderFeesService,
  DealPaymentsService,
]
const TRACKING = [CarrierClient, ParcelsService]

const moneyPool = {
  provide: MoneyPool,
  inject: [CONFIG, OutboxRelay],
  useFactory: ({ DATABASE_URL }: DatabaseConfig, relay: OutboxRelay) => {
    const pool = createPool(DATABASE_URL, { schema, max: MONEY_CONNECTIONS, forceGenericPlan: true })
    return new MoneyPool(pool, () => relay.kick())
  },
}

/**
 * The escrow: deals, their ledger, payments, parcels and clocks, in one database and one dbTx. Its features are one
 * module, since a deal's controller shows payments and parcels, and both change deals.
 */
@Module({
  imports: [
    databaseModule({
      schema,
      migrations,
      entities: [DealEntity, TimelineEntity, ClockEntryEntity, PaymentEntity, RefundEntity, ParcelEntity],
    }),
    eventsModule({ service, schema }),
    timersModule({ service }),
  ],
  controllers: [DealsController, DealsInternalController, PaymentsController, DealsConsumer],
  providers: [moneyPool, ...DEALS, ...PAYMENTS, ...TRACKING, EscrowTimers, Retention],
})
export class AppModule {
  /** @throws when the table of transitions contradicts itself: such a service must never serve */
  constructor() {
    checkTransitions()
  }
}
