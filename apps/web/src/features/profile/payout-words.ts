import type { Payout } from '@holdfast/contracts/payouts'
import type { PayoutStatus } from '@holdfast/kernel/payouts'
import type { BadgeLooks } from '../../components/badge.js'
import { formatDateTime } from '../../lib/time.js'

const BADGES: Record<PayoutStatus, BadgeLooks> = {
  scheduled: { label: 'Scheduled' },
  in_transit: { label: 'In transit', tone: 'held' },
  paid: { label: 'Paid out', tone: 'done' },
  returned: { label: 'Returned', tone: 'trouble' },
}

/** A payout that failed and whose money is not back yet still has the status that it had before. */
export const looksOfPayout = ({ status, failure }: Pick<Payout, 'status' | 'failure'>): BadgeLooks =>
  failure !== null && status !== 'returned' ? { label: 'On its way back', tone: 'trouble' } : BADGES[status]

/** Where the money of a payout is now. */
export function whereItIs({ status, bankLabel, arrivedAt, failure }: Payout): string {
  const bank = bankLabel ?? 'your bank'
  if (status === 'returned') return `Did not reach ${bank} and went back to your balance. ${failure}`
  if (failure !== null) return `Did not reach ${bank} and is on its way back to your balance. ${failure}`
  switch (status) {
    case 'scheduled':
      return `Set aside for ${bank}. The payment provider has not sent it yet.`
    case 'in_transit':
      return `On its way to ${bank}. Banks take one to three days.`
    case 'paid':
      return `Arrived at ${bank}${arrivedAt ? ` on ${formatDateTime(new Date(arrivedAt))}` : ''}.`
  }
}
