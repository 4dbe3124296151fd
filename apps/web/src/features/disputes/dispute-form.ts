import type { FiledDisputeReason } from '@holdfast/kernel/disputes'
import type { Faults } from '../../lib/form/use-form.js'

/** What is asked before a dispute can be filed; a kept draft has the same shape. */
export interface DisputeAnswers {
  readonly transactionId: number | null
  readonly reason: FiledDisputeReason | ''
  readonly description: string
}

export const NO_ANSWERS: DisputeAnswers = { transactionId: null, reason: '', description: '' }

/** What can be sent: a deal, a reason and a description that is not blank. */
export interface CompleteDispute {
  readonly transactionId: number
  readonly reason: FiledDisputeReason
  readonly description: string
}

/** What is missing, by field. */
export const disputeFaults = ({
  reason,
  description,
}: Pick<DisputeAnswers, 'reason' | 'description'>): Faults<Pick<DisputeAnswers, 'reason' | 'description'>> => ({
  reason: reason === '' ? 'Choose a reason.' : undefined,
  description: description.trim() === '' ? 'Say what happened.' : undefined,
})

/** The answers as they are sent; null while one is missing. */
export function complete({ transactionId, reason, description }: DisputeAnswers): CompleteDispute | null {
  if (transactionId === null || reason === '' || description.trim() === '') return null
  return { transactionId, reason, description: description.trim() }
}

/** The step of the wizard that the answers allow: details need a deal, and the review needs everything. */
export function reachableStep(answers: DisputeAnswers, asked: number): number {
  const last = answers.transactionId === null ? 0 : complete(answers) ? 2 : 1
  return Number.isInteger(asked) && asked >= 0 ? Math.min(asked, last) : 0
}

/** What every step of the wizard gets. */
export interface StepProps {
  answers: DisputeAnswers
  onChange: (answers: DisputeAnswers) => void
  onBack: () => void
  onContinue: () => void
}
