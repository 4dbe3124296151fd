import type { CryptoReturn } from '@holdfast/contracts/payments'
import { displayAmount } from '@holdfast/kernel/money'
import { formatDateTime } from '../../../lib/time.js'

const CAUSES: Readonly<Record<CryptoReturn['cause'], string>> = {
  underpaid: 'It was too little for the payment.',
  late: 'It came after the amount had expired.',
  overpaid: 'It was more than the payment needed.',
  again: 'It came after the payment had ended.',
  closed: 'Another way to pay, or another amount, was chosen before it came, or the transaction was cancelled.',
}

/** The cryptocurrency that goes back to the buyer's wallet, or is there. Nothing is shown when there is none. */
export function CryptoReturns({ returns }: { returns: readonly CryptoReturn[] | undefined }) {
  // An older server does not name them.
  if (!returns?.length) return null
  return (
    <section aria-labelledby="crypto-returns">
      <h3 id="crypto-returns" className="mb-2 font-semibold">
        Money That Goes Back to Your Wallet
      </h3>
      <ul className="divide-y divide-rule border-y border-rule">
        {returns.map(each => (
          <li key={`${each.at} ${each.cause} ${each.assetAmount}`} className="grid gap-1 py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
              <span className="figures">{displayAmount(each.assetAmount, each.assetCurrency)}</span>
              <span className={each.isSent ? 'text-held' : 'text-needs'}>
                {each.isSent ? 'Returned' : 'On its way back'}
              </span>
            </p>
            <p className="text-ink-soft text-sm">
              {CAUSES[each.cause]}{' '}
              {each.cause === 'closed'
                ? 'Your wallet gets what its price in dollars is worth on the day of the return, less the network’s fee.'
                : 'The network’s fee is taken from it.'}{' '}
              <time dateTime={each.at}>{formatDateTime(new Date(each.at))}</time>
            </p>
            <p className="break-all text-ink-faint text-sm">{each.walletAddress}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
