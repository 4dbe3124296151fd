import type { TrackingStatus } from '@holdfast/kernel/tracking'
import { integerId } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

/** The parcel of a deal, as the carrier last reported it. */
@Entity({ name: 'parcel' })
export class ParcelEntity {
  @PrimaryColumn({ name: 'transaction_id', type: 'bigint', transformer: integerId }) transactionId: number
  @Column({ name: 'tracking_number', type: 'text' }) trackingNumber: string
  @Column({ type: 'text', nullable: true }) carrier: string | null
  @Column({ name: 'tracker_id', type: 'text', nullable: true }) trackerId: string | null
  @Column({ type: 'text', nullable: true }) status: TrackingStatus | null
  @Column({ name: 'status_description', type: 'text', nullable: true }) statusDescription: string | null
  @Column({ type: 'text', nullable: true }) location: string | null
  @Column({ name: 'estimated_delivery', type: 'timestamptz', nullable: true }) estimatedDelivery: Date | null
  @Column({ name: 'last_update', type: 'timestamptz', nullable: true }) lastUpdate: Date | null
  @Column({ name: 'delivered_at', type: 'timestamptz', nullable: true }) deliveredAt: Date | null
  /** The time of the next poll; null when the deal does not wait for the parcel. */
  @Column({ name: 'poll_at', type: 'timestamptz', nullable: true }) pollAt: Date | null
  @Column({ type: 'int' }) attempts: number
}
