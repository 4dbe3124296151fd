import type { SettlementCause } from '@holdfast/kernel/deals'
import type { DisputeReason, DisputeStatus } from '@holdfast/kernel/disputes'
import type { Currency } from '@holdfast/kernel/money'
import { integerId, minorUnits } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import type { Stage } from './domain/stages.js'

/**
 * Whether escrow has confirmed the dispute's last change. `freezing` and `resuming` are committed before escrow is called,
 * so that the call is repeated after a crash; `settled` means that escrow has answered. `refused` is a filing that escrow
 * has refused. It is kept for a while, because an earlier call for it may still arrive at escrow and freeze the deal. `settling`
 * is a dispute that was decided and is being posted.
 */
export const STEPS = ['freezing', 'settled', 'resuming', 'refused', 'settling'] as const
export type Step = (typeof STEPS)[number]

@Entity({ name: 'dispute' })
export class DisputeEntity {
  @PrimaryColumn({ type: 'bigint', transformer: integerId }) id: number
  @Column({ name: 'transaction_id', type: 'bigint', transformer: integerId }) transactionId: number
  /** The parties come from escrow's answer: they are null until it has frozen the deal. */
  @Column({ name: 'buyer_id', type: 'uuid', nullable: true }) buyerId: string | null
  @Column({ name: 'seller_id', type: 'uuid', nullable: true }) sellerId: string | null
  @Column({ name: 'reporter_id', type: 'uuid', nullable: true }) reporterId: string | null
  @Column({ type: 'text' }) reason: DisputeReason
  @Column({ type: 'text' }) description: string
  @Column({ type: 'text' }) status: DisputeStatus
  @Column({ type: 'text' }) step: Step
  /** Where the case stands (`cases/domain/life.ts`). */
  @Column({ type: 'text' }) stage: Stage
  /** The stage to which the case goes back when escrow refuses to post what was decided. */
  @Column({ name: 'stage_before', type: 'text', nullable: true }) stageBefore: Stage | null
  /**
   * What was sold, and its price: null until escrow has frozen the deal, as the parties are. The price of a dispute of an older
   * release may be null as well.
   */
  @Column({ type: 'text', nullable: true }) title: string | null
  @Column({ name: 'price_minor', type: 'bigint', transformer: minorUnits, nullable: true }) priceMinor: bigint | null
  @Column({ type: 'text', nullable: true }) currency: Currency | null
  /** For a dispute that the system filed: the deal's version since it is stopped. Older releases did not name it. */
  @Column({ name: 'stopped_at_version', type: 'integer', nullable: true }) stoppedAtVersion: number | null
  @Column({ name: 'opened_at', type: 'timestamptz', nullable: true }) openedAt: Date | null
  /** What escrow is to post: what the buyer gets back of the price, null for all that is held. */
  @Column({ name: 'settle_refund_minor', type: 'bigint', transformer: minorUnits, nullable: true })
  settleRefundMinor: bigint | null
  /** The price that the deal must hold for it; null when it holds for any. */
  @Column({ name: 'settle_held_minor', type: 'bigint', transformer: minorUnits, nullable: true })
  settleHeldMinor: bigint | null
  @Column({ name: 'settle_cause', type: 'text', nullable: true }) settleCause: SettlementCause | null
  @Column({ name: 'settle_by', type: 'uuid', nullable: true }) settleBy: string | null
  @Column({ name: 'settle_resolution', type: 'text', nullable: true }) settleResolution: string | null
  @Column({ name: 'admin_notes', type: 'text', nullable: true }) adminNotes: string | null
  @Column({ type: 'text', nullable: true }) resolution: string | null
  @Column({ name: 'retry_at', type: 'timestamptz', nullable: true }) retryAt: Date | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}

/** The steps in which dispute-svc repeats a call to escrow-svc until it is answered. */
export const CALLS_TO_ESCROW = ['freezing', 'resuming', 'settling'] as const satisfies readonly Step[]
export type CallToEscrow = (typeof CALLS_TO_ESCROW)[number]

/** Whether escrow is being asked to resume the deal, or to post what was decided. Until it has answered, nothing else can be done. */
export const isWithEscrow = ({ step }: DisputeEntity): boolean => step === 'resuming' || step === 'settling'
