import { eventsModule } from '@holdfast/events/events.module'
import { OutboxRelay } from '@holdfast/events/outbox/relay'
import { createPool, databaseModule } from '@holdfast/service-kit/database/database'
import { timersModule } from '@holdfast/timers/timers.module'
import { type DynamicModule, Module } from '@nestjs/common'
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
import { Settings } from './settings.js'
import { CarrierClient } from './tracking/carrier.client.js'
import { ParcelEntity } from './tracking/parcel.entity.js'
import { ParcelsService } from './tracking/parcels.service.js'

const SERVICE = 'escrow-svc'
const { schema, migrations } = plan

const TRANSACTIONS = [DealsRepository, DealsService, OpeningService, DealQueries, Deadlines, LedgerService]
const PAYMENTS = [
  StripeProvider,
  PaymentsRepository,
  PaymentsService,
  QuotesService,
  FundsService,
  RefundsService,
  ProviderFeesService,
]
const TRACKING = [CarrierClient, ParcelsService]

/** The escrow: deals, their ledger, payments, parcels and clocks, in one database and one dbTx. */
@Module({})
export class AppModule {}

export function appModule(databaseUrl: string, settings: Settings): DynamicModule {
  // A wrong table must never serve.
  checkTransitions()
  return {
    module: AppModule,
    imports: [
      databaseModule({
        url: databaseUrl,
        schema,
        migrations,
        entities: [DealEntity, TimelineEntity, ClockEntryEntity, PaymentEntity, RefundEntity, ParcelEntity],
      }),
      eventsModule({ service: SERVICE, schema, databaseUrl }),
      timersModule({ service: SERVICE, databaseUrl }),
    ],
    controllers: [DealsController, DealsInternalController, PaymentsController, DealsConsumer],
    providers: [
      { provide: Settings, useValue: settings },
      { provide: MoneyPool, inject: [OutboxRelay], useFactory: (relay: OutboxRelay) => moneyPool(databaseUrl, relay) },
      ...TRANSACTIONS,
      ...PAYMENTS,
      ...TRACKING,
      DealPaymentsService,
      EscrowTimers,
      Retention,
    ],
  }
}

function moneyPool(databaseUrl: string, relay: OutboxRelay): MoneyPool {
  const pool = createPool(databaseUrl, { schema, max: MONEY_CONNECTIONS, forceGenericPlan: true })
  return new MoneyPool(pool, () => relay.kick())
}
