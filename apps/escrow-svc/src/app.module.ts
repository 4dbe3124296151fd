import { eventsModule } from '@holdfast/events/events.module'
import { AuditModule } from '@holdfast/service-kit/audit/audit.module'
import { databaseModule } from '@holdfast/service-kit/database/database.module'
import { IdempotencyCleanup } from '@holdfast/service-kit/idempotency/idempotency-cleanup'
import { timersModule } from '@holdfast/timers/timers.module'
import { Module } from '@nestjs/common'
import { AccountsModule } from './accounts/accounts.module.js'
import { ApprovalsModule } from './approvals/approvals.module.js'
import { BillingModule } from './billing/billing.module.js'
import { InvoiceEntity, SubscriptionEntity } from './billing/subscription.entity.js'
import { CONNECTIONS } from './connections.js'
import { DeadLettersModule } from './dead-letters/dead-letters.module.js'
import { ClockEntryEntity, DealEntity, TimelineEntity } from './deals/deal.entity.js'
import { DealsModule } from './deals/deals.module.js'
import { plan } from './migrations/plan.js'
import { OutagesModule } from './outages/outages.module.js'
import { CryptoPaymentEntity } from './payments/crypto/crypto-payment.entity.js'
import { PaymentEntity, RefundEntity } from './payments/payment.entity.js'
import { PaymentsModule } from './payments/payments.module.js'
import { PayoutAccountEntity, PayoutEntity } from './payouts/payout.entity.js'
import { PayoutsModule } from './payouts/payouts.module.js'
import { ReceiptsModule } from './receipts/receipts.module.js'
import { ReviewsModule } from './reviews/reviews.module.js'
import { StuckModule } from './stuck/stuck.module.js'
import { ParcelEntity } from './tracking/parcel.entity.js'
import { TrackingModule } from './tracking/tracking.module.js'

const { service, schema, migrations } = plan

/** The escrow: deals, their ledger, payments and parcels, and what operators do with them. One dbTx can change all of them: they share a schema. */
@Module({
  imports: [
    databaseModule({
      service,
      schema,
      migrations,
      connections: CONNECTIONS,
      entities: [
        DealEntity,
        TimelineEntity,
        ClockEntryEntity,
        PaymentEntity,
        RefundEntity,
        CryptoPaymentEntity,
        ParcelEntity,
        PayoutAccountEntity,
        PayoutEntity,
        SubscriptionEntity,
        InvoiceEntity,
      ],
    }),
    eventsModule({ service, schema }),
    timersModule({ service }),
    DealsModule,
    OutagesModule,
    PaymentsModule,
    PayoutsModule,
    BillingModule,
    TrackingModule,
    ReviewsModule,
    ReceiptsModule,
    ApprovalsModule,
    StuckModule,
    DeadLettersModule,
    AuditModule,
    AccountsModule,
  ],
  providers: [IdempotencyCleanup],
})
export class AppModule {}
