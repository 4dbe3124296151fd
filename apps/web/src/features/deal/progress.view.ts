import type { Transaction } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'

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
  readonly completeOnce: readonly DealStatus[]
  readonly currentAt: readonly DealStatus[]
  /** Those that happen at this very step; by any other it is merely implied, and has no time of its own. */
  readonly happensAs: readonly DealStatus[]
}

const COMPLETED = ['released', 'completed'] as const
const isCompleted = (status: DealStatus) => COMPLETED.some(each => each === status)
const DELIVERED = ['delivered', 'inspection', ...COMPLETED] as const
const SHIPPED = ['shipped', ...DELIVERED] as const
const PAID = ['secured', 'paid', 'in_progress', ...SHIPPED] as const

const STEPS: readonly Step[] = [
  { label: 'Transaction Created', completeOnce: ['pending', ...PAID], currentAt: [], happensAs: ['pending'] },
  { label: 'Payment Sent', completeOnce: PAID, currentAt: ['pending'], happensAs: ['secured', 'paid'] },
  {
    label: 'Item Shipped',
    completeOnce: SHIPPED,
    currentAt: ['secured', 'paid', 'in_progress'],
    happensAs: ['shipped'],
  },
  {
    label: 'Item Delivered',
    completeOnce: DELIVERED,
    currentAt: ['shipped'],
    happensAs: ['delivered', 'inspection', ...COMPLETED],
  },
  { label: 'Inspection Period', completeOnce: COMPLETED, currentAt: ['delivered', 'inspection'], happensAs: COMPLETED },
  { label: 'Transaction Complete', completeOnce: COMPLETED, currentAt: [], happensAs: COMPLETED },
]

/** The six steps of a deal. A step once reached stays complete, whatever happens later. */
export function progressOf({
  status,
  reached,
  createdAt,
}: Pick<Transaction, 'status' | 'reached' | 'createdAt'>): ProgressView {
  // A deal that a dispute has completed may never have been delivered or inspected. Those steps have no time then.
  const wasDisputed = reached.some(entry => entry.status === 'disputed')
  const steps = STEPS.map(({ label, completeOnce, currentAt, happensAs }, index): ProgressStep => {
    const first = reached.find(entry => completeOnce.includes(entry.status))
    if (index === 0) return { label, state: 'complete', at: createdAt }
    if (first) {
      const isImplied = wasDisputed && isCompleted(first.status) && index < STEPS.length - 1
      return { label, state: 'complete', at: happensAs.includes(first.status) && !isImplied ? first.at : null }
    }
    return { label, state: currentAt.includes(status) ? 'current' : 'ahead', at: null }
  })
  const completed = steps.filter(step => step.state === 'complete').length
  return { steps, completed, percent: Math.round((completed / steps.length) * 100) }
}
