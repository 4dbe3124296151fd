import type { DisputeReason } from '@holdfast/kernel/disputes'

/** What the wizard has gathered so far. */
export interface DisputeDraft {
  readonly transactionId: number | null
  readonly reason: DisputeReason | ''
  readonly description: string
}

export const EMPTY_DRAFT: DisputeDraft = { transactionId: null, reason: '', description: '' }

/** The step one may be at: details need a deal, and the review needs all. */
export function reachableStep(draft: DisputeDraft, asked: number): number {
  const last = draft.transactionId === null ? 0 : complete(draft) ? 2 : 1
  return Number.isInteger(asked) && asked >= 0 ? Math.min(asked, last) : 0
}

/** A draft that can be sent: a deal, a reason and a description that is not blank; null while one is missing. */
export function complete({ transactionId, reason, description }: DisputeDraft) {
  if (transactionId === null || reason === '' || description.trim() === '') return null
  return { transactionId, reason, description: description.trim() }
}
