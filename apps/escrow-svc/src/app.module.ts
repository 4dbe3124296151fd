import { eventsModule } from '@holdfast/events/events.module'
import { OutboxRelay } from '@holdfast/events/relay'
import { createPool, databaseModule } from '@holdfast/service-kit/database'
import { timersModule } from '@holdfast/timers/timers.module'
import { type DynamicModule, Module } from '@nestjs/common'
import { DealsService } from './http/deals.service.js'
import { PaymentsController } from './http/payments.controller.js'
import { TransactionsController, TransactionsInternalController } from './http/transactions.controller.js'
import { LedgerService } from './ledger/ledger.service.js'
import { plan } from './migrations/plan.js'
import { FundsService } from './payments/funds.service.js'
import { PaymentEntity, RefundEntity } from './payments/payment.entity.js'
import { PaymentsRepository } from './payments/payments.repository.js'
import { PaymentsService } from './payments/payments.service.js'
import { ProviderFeesService } from './payments/provider-fees.service.js'
import { QuotesService } from './payments/quotes.service.js'
import { RefundsService } from './payments/refunds.service.js'
import { StripeProvider } from './payments/stripe.provider.js'
import { Settings } from './settings.js'
import { EscrowTimers } from './timers/escrow-timers.js'
import { Retention } from './timers/retention.js'
import { CarrierClient } from './tracking/carrier.client.js'
import { ParcelEntity } from './tracking/parcel.entity.js'
import { ParcelsService } from './tracking/parcels.service.js'
import { Deadlines } from './transactions/deadlines.js'
import { checkTransitions } from './transactions/domain/transitions.js'
import { MoneyPool } from './transactions/money-pool.js'
import { OpeningService } from './transactions/opening.service.js'
import { ClockEntryEntity, TimelineEntity, TransactionEntity } from './transactions/transaction.entity.js'
import { TransactionQueries } from './transactions/transaction-queries.js'
import { TransactionsConsumer } from './transactions/transactions.consumer.js'
import { MONEY_CONNECTIONS, TransactionsRepository } from './transactions/transactions.repository.js'
import { TransactionsService } from './transactions/transactions.service.js'

const SERVICE = 'escrow-svc'
const { schema, migrations } = plan

const TRANSACTIONS = [
  TransactionsRepository,
  TransactionsService,
  OpeningService,
  TransactionQueries,
  Deadlines,
  LedgerService,
]
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
        entities: [TransactionEntity, TimelineEntity, ClockEntryEntity, PaymentEntity, RefundEntity, ParcelEntity],
      }),
      eventsModule({ service: SERVICE, schema, databaseUrl }),
      timersModule({ service: SERVICE, databaseUrl }),
    ],
    controllers: [TransactionsController, TransactionsInternalController, PaymentsController, TransactionsConsumer],
    providers: [
      { provide: Settings, useValue: settings },
      { provide: MoneyPool, inject: [OutboxRelay], useFactory: (relay: OutboxRelay) => moneyPool(databaseUrl, relay) },
      ...TRANSACTIONS,
      ...PAYMENTS,
      ...TRACKING,
      DealsService,
      EscrowTimers,
      Retention,
    ],
  }
}

function moneyPool(databaseUrl: string, relay: OutboxRelay): MoneyPool {
  const pool = createPool(databaseUrl, { schema, max: MONEY_CONNECTIONS, forceGenericPlan: true })
  return new MoneyPool(pool, () => relay.kick())
}
