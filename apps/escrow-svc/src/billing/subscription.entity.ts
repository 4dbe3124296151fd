import type { Currency } from '@holdfast/kernel/money'
import type {
  CancelReason,
  InvoiceStatus,
  MoneyBack,
  SubscriptionInterval,
  SubscriptionStatus,
} from '@holdfast/kernel/subscriptions'
import type { Plan } from '@holdfast/kernel/users'
import { minorUnits } from '@holdfast/service-kit/database/columns'
import { Column, type DataSource, Entity, type EntityManager, Not, PrimaryColumn } from 'typeorm'

/** A subscription of a user. Its row is committed before the provider is called, so that it can be resumed after a crash. */
@Entity({ name: 'subscription' })
export class SubscriptionEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string
  @Column({ name: 'user_id', type: 'uuid' }) userId: string
  @Column({ type: 'text' }) interval: SubscriptionInterval
  @Column({ name: 'amount_minor', type: 'bigint', transformer: minorUnits }) amountMinor: bigint
  @Column({ type: 'text' }) currency: Currency
  @Column({ type: 'text' }) status: SubscriptionStatus
  /** The plan in the latest event that we published about this subscription. */
  @Column({ type: 'text' }) plan: Plan
  @Column({ name: 'provider_subscription_id', type: 'text', nullable: true }) providerSubscriptionId: string | null
  /** Counts the attempts to create it at the provider. Each has an idempotency key of its own. */
  @Column({ type: 'int' }) attempt: number
  @Column({ name: 'period_ends_at', type: 'timestamptz', nullable: true }) periodEndsAt: Date | null
  @Column({ name: 'cancels_at_period_end', type: 'boolean' }) cancelsAtPeriodEnd: boolean
  /** When we learned that the card was declined, by the database's clock. */
  @Column({ name: 'past_due_since', type: 'timestamptz', nullable: true }) pastDueSince: Date | null
  @Column({ name: 'card_label', type: 'text', nullable: true }) cardLabel: string | null
  /** True when it is to end at once: the timer ends it at the provider. */
  @Column({ name: 'ends_at_once', type: 'boolean' }) endsAtOnce: boolean
  /** Set while the payer has the money of the latest paid period back. It gives no Premium then. */
  @Column({ name: 'money_back', type: 'text', nullable: true }) moneyBack: MoneyBack | null
  /** Why we let it end with its period: the timer cancels it at the provider. Null when only its user decides. */
  @Column({ name: 'cancel_reason', type: 'text', nullable: true }) cancelReason: CancelReason | null
  /** Counts the questions to the provider. An answer is dropped when the answer to a later question is recorded already. */
  @Column({ type: 'int' }) asks: number
  @Column({ name: 'recorded_ask', type: 'int' }) recordedAsk: number
  @Column({ name: 'asked_at', type: 'timestamptz', nullable: true }) askedAt: Date | null
  /** When the timer looks at it again; null once it has ended. */
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true }) dueAt: Date | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}

/** A user's subscription that has not ended; null when there is none. A unique index allows only one. */
export const findOpenSubscription = (dataSource: DataSource, userId: string): Promise<SubscriptionEntity | null> =>
  dataSource.getRepository(SubscriptionEntity).findOneBy({ userId, status: Not('ended') })

/** A subscription, locked until the end of the dbTx. */
export const lockSubscription = (manager: EntityManager, id: string): Promise<SubscriptionEntity> =>
  manager.findOneOrFail(SubscriptionEntity, { where: { id }, lock: { mode: 'pessimistic_write' } })

/** An invoice of the provider for a period of a subscription. */
@Entity({ name: 'subscription_invoice' })
export class InvoiceEntity {
  @PrimaryColumn({ type: 'text' }) id: string
  @Column({ name: 'subscription_id', type: 'uuid' }) subscriptionId: string
  @Column({ name: 'user_id', type: 'uuid' }) userId: string
  @Column({ type: 'text' }) number: string
  @Column({ type: 'text' }) status: InvoiceStatus
  @Column({ name: 'amount_minor', type: 'bigint', transformer: minorUnits }) amountMinor: bigint
  @Column({ type: 'text' }) currency: Currency
  @Column({ name: 'intent_id', type: 'text', nullable: true }) intentId: string | null
  @Column({ name: 'period_starts_at', type: 'timestamptz' }) periodStartsAt: Date
  @Column({ name: 'period_ends_at', type: 'timestamptz' }) periodEndsAt: Date
  @Column({ name: 'provider_fee_minor', type: 'bigint', transformer: minorUnits, nullable: true })
  providerFeeMinor: bigint | null
  @Column({ name: 'fee_due_at', type: 'timestamptz', nullable: true }) feeDueAt: Date | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true }) paidAt: Date | null
  /** What went back to the payer by refunds, also by those that are under way. */
  @Column({ name: 'refunded_minor', type: 'bigint', transformer: minorUnits }) refundedMinor: bigint
  /** What the payer's bank has taken back and not returned. */
  @Column({ name: 'charged_back_minor', type: 'bigint', transformer: minorUnits }) chargedBackMinor: bigint
  @Column({ name: 'is_chargeback_lost', type: 'boolean' }) isChargebackLost: boolean
  /** The provider's fee of its chargebacks, less what the provider has returned of it. */
  @Column({ name: 'chargeback_fee_minor', type: 'bigint', transformer: minorUnits }) chargebackFeeMinor: bigint
  /** Counts the questions about what went back. An answer is dropped when the answer to a later question is recorded already. */
  @Column({ name: 'return_asks', type: 'int' }) returnAsks: number
  @Column({ name: 'recorded_return_ask', type: 'int' }) recordedReturnAsk: number
}
