import type { Dispute } from '@holdfast/contracts/disputes'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'

/** The dialog's and the wizard's readings of which deals can be disputed; both stand, with `inspection` in both. */
export const DIALOG_STATUSES: readonly DealStatus[] = ['in_progress', 'secured', 'shipped', 'inspection']
export const WIZARD_STATUSES: readonly DealStatus[] = ['paid', 'shipped', 'delivered', 'inspection']

/** The deals that may be disputed: in one of these statuses, and in no dispute that still runs. */
export function eligible<T extends Pick<Transaction, 'id' | 'status'>>(
  deals: readonly T[],
  disputes: readonly Pick<Dispute, 'transactionId' | 'status'>[],
  statuses: readonly DealStatus[],
): T[] {
  const disputed = new Set(
    disputes.filter(dispute => dispute.status !== 'closed').map(dispute => dispute.transactionId),
  )
  return deals.filter(({ id, status }) => statuses.includes(status) && !disputed.has(id))
}
