import type { Currency } from '@holdfast/kernel/money'
import type { PaymentMethod, PaymentStatus, RefundOrigin, RefundStatus } from '@holdfast/kernel/payments'
import { integerId, minorUnits } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import type { TransferDetails } from './provider-objects.js'

/** A payment for a deal. Its row is committed before the provider is called, so that it can be resumed after a crash. */
@Entity({ name: 'payment' })
export class PaymentEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string
  @Column({ name: 'transaction_id', type: 'bigint', transformer: integerId }) transactionId: number
  @Column({ name: 'user_id', type: 'uuid' }) userId: string
  @Column({ type: 'text' }) method: PaymentMethod
  @Column({ type: 'text' }) status: PaymentStatus
  @Column({ name: 'amount_minor', type: 'bigint', transformer: minorUnits }) amountMinor: bigint
  @Column({ type: 'text' }) currency: Currency
  @Column({ name: 'intent_id', type: 'text', nullable: true }) intentId: string | null
  @Column({ name: 'charge_id', type: 'text', nullable: true }) chargeId: string | null
  @Column({ name: 'provider_fee_minor', type: 'bigint', transformer: minorUnits, nullable: true })
  providerFeeMinor: bigint | null
  /** Counts the attempts to create the intent. Each has an idempotency key of its own. */
  @Column({ type: 'int' }) attempt: number
  /** When the provider is asked which intents the earlier attempts have created. */
  @Column({ name: 'check_due_at', type: 'timestamptz', nullable: true }) checkDueAt: Date | null
  /** When the provider was last asked about the payment. */
  @Column({ name: 'asked_at', type: 'timestamptz', nullable: true }) askedAt: Date | null
  @Column({ name: 'fee_due_at', type: 'timestamptz', nullable: true }) feeDueAt: Date | null
  @Column({ name: 'last_error', type: 'text', nullable: true }) lastError: string | null
  /** True when the deal did not take the payment, so that it is refunded in full. */
  @Column({ type: 'boolean' }) stray: boolean
  /** After a restore: an operator must look for a refund that was sent already, before the service sends one. */
  @Column({ name: 'refunds_wait', type: 'boolean' }) refundsWait: boolean
  /** The payer at the provider, of whom a bank transfer comes; null for a payment by card. */
  @Column({ name: 'customer_id', type: 'text', nullable: true }) customerId: string | null
  /** The bank details to which the buyer transfers the money. */
  @Column({ type: 'jsonb', nullable: true }) transfer: TransferDetails | null
  /** What has arrived of a bank transfer that is not complete. */
  @Column({ name: 'received_minor', type: 'bigint', transformer: minorUnits }) receivedMinor: bigint
  /** True for money that came with a bank transfer and that no payment took. The provider keeps it apart for the payer. */
  @Column({ type: 'boolean' }) unapplied: boolean
  /** The brand and the last four digits of the card, as its receipt names it. */
  @Column({ name: 'card_brand', type: 'text', nullable: true }) cardBrand: string | null
  @Column({ name: 'card_last4', type: 'text', nullable: true }) cardLast4: string | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}

/** A refund. Its row is committed with the decision. Afterwards it is sent, with this id as the idempotency key. */
@Entity({ name: 'refund' })
export class RefundEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string
  @Column({ name: 'transaction_id', type: 'bigint', transformer: integerId }) transactionId: number
  @Column({ name: 'payment_id', type: 'uuid' }) paymentId: string
  @Column({ name: 'amount_minor', type: 'bigint', transformer: minorUnits }) amountMinor: bigint
  @Column({ type: 'text' }) currency: Currency
  @Column({ type: 'text' }) status: RefundStatus
  @Column({ type: 'text' }) origin: RefundOrigin
  @Column({ name: 'provider_refund_id', type: 'text', nullable: true }) providerRefundId: string | null
  /** Counts the idempotency keys under which it was sent. */
  @Column({ name: 'send_attempt', type: 'int' }) sendAttempt: number
  /** The provider's ids of the earlier attempts, which have failed. */
  @Column({ name: 'failed_provider_ids', type: 'text', array: true }) failedProviderIds: string[]
  /** How often it could not be sent since it became due: the pause before the next time grows with it. */
  @Column({ type: 'int' }) attempts: number
  @Column({ name: 'last_error', type: 'text', nullable: true }) lastError: string | null
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true }) dueAt: Date | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}
