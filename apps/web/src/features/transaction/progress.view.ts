import type { Transaction } from '@holdfast/contracts/transactions'
import type { TransactionStatus } from '@holdfast/kernel/transactions'

export interface ProgressStep {
  readonly label: string
  readonly state: 'complete' | 'current' | 'ahead'
  /** When it was first reached; null where that is not known, or not yet. */
  readonly at: string | null
}

export interface ProgressView {
  readonly steps: readonly ProgressStep[]
  readonly completed: number
  /** Share of completed steps in percent: the bar's width. */
  readonly percent: number
}

interface Step {
  readonly label: string
  /** Any of these, once reached, completes the step for good (spec section 4; its lists omit some). */
  readonly completeOnce: readonly TransactionStatus[]
  readonly currentAt: readonly TransactionStatus[]
}

const COMPLETED = ['released', 'completed'] as const
const DELIVERED = ['delivered', 'inspection', ...COMPLETED] as const
const SHIPPED = ['shipped', ...DELIVERED] as const
const PAID = ['secured', 'paid', 'in_progress', ...SHIPPED] as const

const STEPS: readonly Step[] = [
  { label: 'Transaction Created', completeOnce: ['pending', ...PAID], currentAt: [] },
  { label: 'Payment Sent', completeOnce: PAID, currentAt: ['pending'] },
  { label: 'Item Shipped', completeOnce: SHIPPED, currentAt: ['secured', 'paid', 'in_progress'] },
  { label: 'Item Delivered', completeOnce: DELIVERED, currentAt: ['shipped'] },
  { label: 'Inspection Period', completeOnce: COMPLETED, currentAt: ['delivered', 'inspection'] },
  { label: 'Transaction Complete', completeOnce: COMPLETED, currentAt: [] },
]

/** The six steps of a deal. A step once reached stays complete, whatever happens later. */
export function progressOf({
  status,
  reached,
  createdAt,
}: Pick<Transaction, 'status' | 'reached' | 'createdAt'>): ProgressView {
  const steps = STEPS.map(({ label, completeOnce, currentAt }, index): ProgressStep => {
    const first = reached.find(entry => completeOnce.includes(entry.status))
    if (index === 0) return { label, state: 'complete', at: createdAt }
    if (first) return { label, state: 'complete', at: first.at }
    return { label, state: currentAt.includes(status) ? 'current' : 'ahead', at: null }
  })
  const completed = steps.filter(step => step.state === 'complete').length
  return { steps, completed, percent: Math.round((completed / steps.length) * 100) }
}
