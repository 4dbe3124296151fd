import type { Payout } from '@holdfast/contracts/payouts'
import { MAX_DEALS_OF_PAYOUT_SHOWN, type PayoutStatus } from '@holdfast/kernel/payouts'
import { type BadgeLooks, StatusBadge } from '../../components/badge.js'
import { Money } from '../../components/money.js'
import { Link } from '../../lib/navigation.js'
import { paths } from '../../lib/paths.js'
import { formatDateTime } from '../../lib/time.js'

const BADGES: Record<PayoutStatus, BadgeLooks> = {
  scheduled: {},
  in_transit: { label: 'In transit', tone: 'held' },
  paid: { label: 'Paid out', tone: 'done' },
  returned: { tone: 'trouble' },
}

/** A payout that failed and whose money is not back yet still has the status that it had before. */
const looksOf = ({ status, failure }: Payout): BadgeLooks =>
  failure !== null && status !== 'returned' ? { label: 'On its way back', tone: 'trouble' } : BADGES[status]

/** A payout: how much, where it is now, and the transactions that it carries. */
export function PayoutRow({ payout }: { payout: Payout }) {
  const { amount, currency, status, deals } = payout
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="flex items-center gap-3 font-semibold">
          <Money amount={amount} currency={currency} className="text-lg" />
          <StatusBadge status={status} looks={looksOf(payout)} />
        </p>
        <p className="text-sm text-ink-soft">{formatDateTime(new Date(payout.createdAt))}</p>
      </div>
      <p className="mt-1 text-ink-soft">{stateOf(payout)}</p>
      {deals.length > 0 && (
        <details className="mt-2 text-sm">
          <summary className="cursor-pointer font-medium">
            {deals.length === 1 ? '1 transaction' : `${countOf(deals.length)} transactions`}
          </summary>
          <ul className="mt-2 divide-y divide-rule border-y border-rule">
            {deals.map(deal => (
              <li key={deal.transactionId} className="flex justify-between gap-6 py-2">
                <Link to={paths.transaction(deal.transactionId)} className="min-w-0 truncate underline">
                  {deal.title}
                </Link>
                <Money amount={deal.amount} currency={currency} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

const countOf = (deals: number) => (deals === MAX_DEALS_OF_PAYOUT_SHOWN ? `The newest ${deals}` : String(deals))

/** Where the money of a payout is now. */
function stateOf({ status, bankLabel, arrivedAt, failure }: Payout): string {
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
