import type { Payout } from '@holdfast/contracts/payouts'
import { displayAmount } from '@holdfast/kernel/money'
import { MAX_DEALS_OF_PAYOUT_SHOWN } from '@holdfast/kernel/payouts'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../components/badge.js'
import { Money } from '../../components/money.js'
import { paths } from '../../lib/paths.js'
import { formatDateTime } from '../../lib/time.js'
import { looksOfPayout, whereItIs } from './payout-words.js'

/** A payout: how much, where it is now, and the transactions that it carries. */
export function PayoutRow({ payout }: { payout: Payout }) {
  const { amount, currency, status, deals } = payout
  return (
    <li className="py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="flex items-center gap-3 font-semibold">
          <Money amount={amount} currency={currency} className="text-lg" />
          <StatusBadge status={status} looks={looksOfPayout(payout)} />
        </p>
        <p className="text-sm text-ink-soft">{formatDateTime(new Date(payout.createdAt))}</p>
      </div>
      <p className="mt-1 text-ink-soft">{whereItIs(payout)}</p>
      <p className="mt-1 text-sm">
        <Link to={paths.payoutReceipt(payout.id)} className="underline">
          Receipt <span className="sr-only">of the payout of {displayAmount(amount, currency)}</span>
        </Link>
      </p>
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
