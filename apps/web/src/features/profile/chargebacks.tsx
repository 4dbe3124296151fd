import type { PayoutsOverview, SellerChargeback } from '@holdfast/contracts/payouts'
import { Link } from 'react-router-dom'
import { type BadgeLooks, StatusBadge } from '../../components/badge.js'
import { Money } from '../../components/money.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'

const BADGES: Record<SellerChargeback['status'], BadgeLooks> = {
  open: { label: 'Bank decides' },
  lost: { tone: 'trouble' },
}

/** Why a seller's balance fell or may fall: each chargeback of a sale. Nothing where there is none. */
export function Chargebacks({
  overview: { chargebacks, available, currency, blockedBy, blocks = [] },
}: {
  overview: PayoutsOverview
}) {
  if (chargebacks.length === 0) return null
  // The notice for `negative_balance` already says how it is repaid.
  const isRepaid = available.startsWith('-') && ![blockedBy, ...blocks].includes('negative_balance')
  return (
    <div>
      <h3 className="border-b border-ink pb-2 font-semibold">Chargebacks</h3>
      <ul className="divide-y divide-rule border-b border-rule">
        {chargebacks.map(each => (
          <ChargebackRow key={`${each.transactionId} ${each.status}`} chargeback={each} currency={currency} />
        ))}
      </ul>
      {isRepaid && (
        <p className="mt-3 text-ink-soft">
          Your balance is below zero. Your next sales repay it before anything is paid out.
        </p>
      )}
    </div>
  )
}

function ChargebackRow({ chargeback, currency }: { chargeback: SellerChargeback; currency: string }) {
  const { transactionId, title, status, amount } = chargeback
  return (
    <li className="py-4">
      <div className="flex items-baseline justify-between gap-x-6">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <Link to={paths.transaction(transactionId)} className="underline">
            {title}
          </Link>
          <StatusBadge status={status} looks={BADGES[status]} />
        </p>
        <Money amount={status === 'lost' ? `-${amount}` : amount} currency={currency} className="font-semibold" />
      </div>
      <p className="mt-1 max-w-text text-ink-soft">{meaningOf(chargeback)}</p>
    </li>
  )
}

/** What the bank does, since when, and what it means for the balance. */
function meaningOf({ status, since }: SellerChargeback): string {
  const date = formatDate(new Date(since))
  switch (status) {
    case 'open':
      return `The buyer’s bank asked for the payment back on ${date}. Until the bank decides, only what your balance has above this amount is paid out. If it decides for the buyer, this amount is taken from your balance.`
    case 'lost':
      return `The buyer’s bank gave the payment back on ${date}. This amount was taken from your balance.`
  }
}
