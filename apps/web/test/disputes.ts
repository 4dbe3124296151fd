import type { Dispute } from '@holdfast/contracts/disputes'
import { ana, ben } from './people.js'

/** Ben has filed dispute 5 on deal 1, and it is open. */
export const dispute = (change: Partial<Dispute> = {}): Dispute => ({
  id: 5,
  transactionId: 1,
  buyerId: ben.id,
  sellerId: ana.id,
  reporterId: ben.id,
  reason: 'other',
  description: 'The chair is broken.',
  status: 'open',
  adminNotes: null,
  resolution: null,
  createdAt: '2026-11-29T10:00:00.000Z',
  ...change,
})
