import type { DisputeReason, DisputeStatus } from '@holdfast/kernel/disputes'
import { integerId } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

/**
 * Whether escrow has confirmed the dispute's last change. `freezing` and `resuming` are committed before escrow is called,
 * so that the call is repeated after a crash; `settled` means that escrow has answered. `refused` is a filing that escrow
 * has refused. It is kept for a while, because an earlier call for it may still arrive at escrow and freeze the deal.
 */
export const STEPS = ['freezing', 'settled', 'resuming', 'refused'] as const
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
  @Column({ name: 'admin_notes', type: 'text', nullable: true }) adminNotes: string | null
  @Column({ type: 'text', nullable: true }) resolution: string | null
  @Column({ name: 'retry_at', type: 'timestamptz', nullable: true }) retryAt: Date | null
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt: Date
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt: Date
}
