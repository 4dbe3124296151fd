import type { ListingTerms } from '@holdfast/contracts/terms'
import type { Clock, ClockChange } from '@holdfast/kernel/clocks'
import type { DealStatus, TimelineKind } from '@holdfast/kernel/deals'
import type { FeeScheduleVersion } from '@holdfast/kernel/fees'
import type { Currency } from '@holdfast/kernel/money'
import type { Plan } from '@holdfast/kernel/users'
import { integerId, minorUnits } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn, VirtualColumn } from 'typeorm'
import { acceptedBySeller } from './deal-row.js'
import type { ChangedBy, Frozen } from './domain/deal.js'

/**
 * A deal with the terms that were frozen when it opened, as the screens read it. Only `DealsRepository` changes it, because
 * its balances and the ledger are written by one statement.
 */
@Entity({ name: 'transaction' })
export class DealEntity {
  @PrimaryColumn({ type: 'bigint', transformer: integerId }) id: number
  /** Counts the changes of the deal. */
  @Column({ type: 'int' }) version: number
  @Column({ type: 'text' }) status: DealStatus
  @Column({ name: 'listing_id', type: 'bigint', transformer: integerId }) listingId: number
  @Column({ name: 'buyer_id', type: 'uuid' }) buyerId: string
  @Column({ name: 'seller_id', type: 'uuid' }) sellerId: string
  /** The party who opened it. */
  @Column({ name: 'opened_by', type: 'uuid' }) openedBy: string
  @Column({ type: 'jsonb' }) terms: ListingTerms
  @Column({ type: 'text' }) currency: Currency
  @Column({ name: 'price_minor', type: 'bigint', transformer: minorUnits }) priceMinor: bigint
  @Column({ name: 'fee_schedule', type: 'text' }) feeSchedule: FeeScheduleVersion
  @Column({ name: 'buyer_plan', type: 'text' }) buyerPlan: Plan
  @Column({ name: 'seller_plan', type: 'text' }) sellerPlan: Plan
  @Column({ name: 'buyer_fee_minor', type: 'bigint', transformer: minorUnits }) buyerFeeMinor: bigint
  @Column({ name: 'seller_fee_minor', type: 'bigint', transformer: minorUnits }) sellerFeeMinor: bigint
  @Column({ name: 'inspection_days', type: 'int' }) inspectionDays: number
  @Column({ name: 'hold_minor', type: 'bigint', transformer: minorUnits }) holdMinor: bigint
  @Column({ name: 'released_minor', type: 'bigint', transformer: minorUnits }) releasedMinor: bigint
  @Column({ name: 'refunded_minor', type: 'bigint', transformer: minorUnits }) refundedMinor: bigint
  @Column({ name: 'charged_back_minor', type: 'bigint', transformer: minorUnits }) chargedBackMinor: bigint
  @Column({ name: 'paid_at', type: 'timestamptz', nullable: true }) paidAt: Date | null
  @Column({ name: 'tracking_number', type: 'text', nullable: true }) trackingNumber: string | null
  @Column({ type: 'text', nullable: true }) carrier: string | null
  @Column({ name: 'expected_delivery', type: 'timestamptz', nullable: true }) expectedDelivery: Date | null
  @Column({ type: 'text', nullable: true }) clock: Clock | null
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true }) dueAt: Date | null
  @Column({ type: 'jsonb', nullable: true }) frozen: Frozen | null
  @VirtualColumn({ type: 'boolean', query: deal => `SELECT ${acceptedBySeller(deal)}` }) sellerAccepted: boolean
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}

/** One step of a deal. */
@Entity({ name: 'timeline' })
export class TimelineEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string
  @Column({ name: 'transaction_id', type: 'bigint', transformer: integerId }) transactionId: number
  /** The version of the deal that it led to. Rows are ordered by it: the ids have the time of one replica or another. */
  @Column({ type: 'int' }) version: number
  @Column({ type: 'text' }) kind: TimelineKind
  @Column({ type: 'text' }) status: DealStatus
  @Column({ type: 'text' }) actor: ChangedBy
  /** What an operator says about it to both parties. */
  @Column({ type: 'text', nullable: true }) reason: string | null
  @Column({ type: 'timestamptz' }) at: Date
}

/** One change of a deal's clock, and why. */
@Entity({ name: 'clock_entry' })
export class ClockEntryEntity {
  @PrimaryColumn({ type: 'uuid' }) id: string
  @Column({ name: 'transaction_id', type: 'bigint', transformer: integerId }) transactionId: number
  /** The version of the deal that it belongs to. Rows are ordered by it: the ids have the time of one replica or another. */
  @Column({ type: 'int' }) version: number
  @Column({ type: 'text' }) clock: Clock
  @Column({ type: 'text' }) change: ClockChange
  @Column({ type: 'text' }) actor: ChangedBy
  @Column({ type: 'timestamptz' }) at: Date
  @Column({ name: 'due_at', type: 'timestamptz', nullable: true }) dueAt: Date | null
}
