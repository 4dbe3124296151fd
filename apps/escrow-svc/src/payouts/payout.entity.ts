import type { Currency } from '@holdfast/kernel/money'
import type { PayoutAccountStatus, PayoutStatus } from '@holdfast/kernel/payouts'
import { minorUnits } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

/** What is known of a user as the receiver of payouts. Payouts of a seller are made one after another, by locking this row. */
@Entity({ name: 'payout_account' })
export class PayoutAccountEntity {
  @PrimaryColumn({ name: 'user_id', type: 'uuid' }) userId: string
  @Column({ name: 'is_verified', type: 'boolean' }) isVerified: boolean
  @Column({ name: 'email_confirmed', type: 'boolean' }) emailConfirmed: boolean
  /** The seller's account at the provider. */
  @Column({ name: 'provider_account_id', type: 'text', nullable: true }) providerAccountId: string | null
  @Column({ type: 'text' }) status: PayoutAccountStatus
  @Column({ type: 'text', nullable: true }) reason: string | null
  @Column({ name: 'bank_label', type: 'text', nullable: true }) bankLabel: string | null
  /** The provider's id of the bank account; null until there is one. */
  @Column({ name: 'bank_id', type: 'text', nullable: true }) bankId: string | null
  /** The change after which payouts wait, or waited. */
  @Column({ name: 'bank_change_id', type: 'uuid', nullable: true }) bankChangeId: string | null
  /** Until when nothing is paid out because the bank account was changed; null when it was not, and once the seller has confirmed it. */
  @Column({ name: 'waits_until', type: 'timestamptz', nullable: true }) waitsUntil: Date | null
  /** Counts the attempts to open the account. Each has an idempotency key of its own. */
  @Column({ type: 'int' }) attempt: number
  /** How many times the provider was asked about the account, and which of its answers is kept. */
  @Column({ type: 'int' }) asks: number
  @Column({ name: 'recorded_ask', type: 'int' }) recordedAsk: number
  /** When the provider was last asked about the account. */
  @Column({ name: 'asked_at', type: 'timestamptz', nullable: true }) askedAt: Date | null
  @Column({ name: 'next_payout_at', type: 'timestamptz', nullable: true }) nextPayoutAt: Date | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}

/** A payout. Its row is committed with the decision. Afterwards it is sent, with this id in its idempotency keys. */
@Entity({ name: 'payout' })
export class PayoutEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string
  @Column({ name: 'seller_id', type: 'uuid' }) sellerId: string
  @Column({ name: 'amount_minor', type: 'bigint', transformer: minorUnits }) amountMinor: bigint
  @Column({ type: 'text' }) currency: Currency
  @Column({ type: 'text' }) status: PayoutStatus
  @Column({ name: 'provider_account_id', type: 'text' }) providerAccountId: string
  /** The bank account as the seller knows it. It follows the payout account until the provider has sent the payout. */
  @Column({ name: 'bank_label', type: 'text', nullable: true }) bankLabel: string | null
  /** The transfer from our balance to the seller's account, and when it was made. */
  @Column({ name: 'transfer_id', type: 'text', nullable: true }) transferId: string | null
  @Column({ name: 'transferred_at', type: 'timestamptz', nullable: true }) transferredAt: Date | null
  @Column({ name: 'provider_payout_id', type: 'text', nullable: true }) providerPayoutId: string | null
  @Column({ name: 'reversed_at', type: 'timestamptz', nullable: true }) reversedAt: Date | null
  /** Counts the idempotency keys under which the present step was sent. */
  @Column({ name: 'send_attempt', type: 'int' }) sendAttempt: number
  @Column({ type: 'int' }) attempts: number
  @Column({ name: 'last_error', type: 'text', nullable: true }) lastError: string | null
  /** Why it does not arrive, as the seller reads it. Set while the money is still on its way back. */
  @Column({ type: 'text', nullable: true }) failure: string | null
  @Column({ name: 'failed_at', type: 'timestamptz', nullable: true }) failedAt: Date | null
  /** Since when every question to the provider about a payout that was sent has failed; null after an answer. */
  @Column({ name: 'unanswered_since', type: 'timestamptz', nullable: true }) unansweredSince: Date | null
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true }) dueAt: Date | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'arrived_at', type: 'timestamptz', nullable: true }) arrivedAt: Date | null
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}
