import type { Notification as NotificationView } from '@holdfast/contracts/messages'
import type { NotificationType } from '@holdfast/kernel/messages'
import { integerId } from '@holdfast/service-kit/database/columns'
import { Column, Entity, PrimaryColumn } from 'typeorm'

@Entity({ name: 'notifications' })
export class Notification {
  @PrimaryColumn('uuid')
  id: string

  @Column('uuid', { name: 'user_id' })
  userId: string

  @Column('text')
  type: NotificationType

  @Column('text')
  title: string

  @Column('text')
  message: string

  @Column('bigint', { name: 'transaction_id', nullable: true, transformer: integerId })
  transactionId: number | null

  /** The dispute that it is about; null when it is about none, and while the dispute is not known. */
  @Column('bigint', { name: 'dispute_id', nullable: true, transformer: integerId })
  disputeId: number | null

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date

  @Column({ type: 'bigint', insert: false, update: false, select: false })
  sequence?: string

  @Column('timestamptz', { name: 'read_at', nullable: true })
  readAt: Date | null
}

/** A notification in the form of the routes' answers. */
export function viewOf(notification: Notification): NotificationView {
  const { id, type, title, message, transactionId, disputeId, readAt, createdAt } = notification
  return { id, type, title, message, transactionId, disputeId, read: readAt !== null, time: createdAt.toISOString() }
}
