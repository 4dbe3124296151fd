import type { DisputeReason } from '@holdfast/kernel/disputes'

/** What the wizard has gathered so far. */
export interface DisputeDraft {
  readonly transactionId: number | null
  readonly reason: DisputeReason | ''
  readonly description: string
}

export const EMPTY_DRAFT: DisputeDraft = { transactionId: null, reason: '', description: '' }

/** A draft that can be sent: a transaction, a reason and a description that is not blank; null while one is missing. */
export function complete({ transactionId, reason, description }: DisputeDraft) {
  if (transactionId === null || reason === '' || description.trim() === '') return null
  return { transactionId, reason, description: description.trim() }
}
