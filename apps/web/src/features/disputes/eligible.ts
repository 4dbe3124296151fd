import type { Dispute } from '@holdfast/contracts/disputes'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'

/**
 * The statuses in which the dialog and the wizard offer a deal (spec section 4), each with `inspection` added. A `secured` deal
 * holds no money yet, so it cannot be disputed.
 */
export const DIALOG_STATUSES: readonly DealStatus[] = ['in_progress', 'shipped', 'inspection']
export const WIZARD_STATUSES: readonly DealStatus[] = ['paid', 'shipped', 'delivered', 'inspection']

/** The deals that are in no dispute that still runs. */
export function notInDispute<T extends Pick<Transaction, 'id'>>(
  deals: readonly T[],
  disputes: readonly Pick<Dispute, 'transactionId' | 'status'>[],
): T[] {
  const disputed = new Set(
    disputes.filter(dispute => dispute.status !== 'closed').map(dispute => dispute.transactionId),
  )
  return deals.filter(({ id }) => !disputed.has(id))
}
