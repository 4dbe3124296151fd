import type { Dispute } from '@holdfast/contracts/disputes'
import type { z } from 'zod'
import type { DisputeEntity } from './dispute.entity.js'

export type DisputeView = z.input<typeof Dispute>

/** A dispute as its parties see it. @throws Error for a filing that escrow has not answered: its parties are not known yet */
export function toView(dispute: DisputeEntity): DisputeView {
  const { id, transactionId, buyerId, sellerId, reporterId, reason, description, status, adminNotes, resolution } =
    dispute
  if (!buyerId || !sellerId) throw new Error(`dispute ${id} has no parties`)
  const createdAt = dispute.createdAt.toISOString()
  return {
    id,
    transactionId,
    buyerId,
    sellerId,
    reporterId,
    reason,
    description,
    status,
    adminNotes,
    resolution,
    createdAt,
  }
}
