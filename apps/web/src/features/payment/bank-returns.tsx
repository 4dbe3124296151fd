import { routes } from 'virtual:routes'
import { StatusBadge } from '../../components/badge.js'
import { TextLink } from '../../components/link.js'
import { LoadError } from '../../components/load-error.js'
import { Money } from '../../components/money.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { looksOf } from '../receipts/shared/history-words.js'

/** The most movements of a deal's money that are looked at: a deal has a handful. */
const MAX_LINES = 100

/** How often the server is asked while money is expected to go back: no live event tells of it. */
const REFRESH_MS = 4_000

interface BankReturnsProps {
  transactionId: number
  /** Whether a transfer has just been left for another way to pay. */
  isExpected?: boolean
}

/** The money of bank transfers for a deal that goes back to the buyer, or has gone back. Nothing is shown when there is none. */
export default function BankReturns({ transactionId, isExpected = false }: BankReturnsProps) {
  const { data, error, mutate } = useCall(
    routes.listPayments,
    { query: { limit: MAX_LINES, transactionId } },
    isExpected ? { refreshInterval: REFRESH_MS } : {},
  )
  if (!data)
    return error ? (
      <LoadError title="What goes back to your bank could not be loaded" error={error} retry={() => void mutate()} />
    ) : null
  const returns = data.filter(({ kind, method, state }) => kind === 'refund' && method === 'bank' && state !== 'void')
  if (returns.length === 0) return null
  return (
    <section aria-labelledby="bank-returns" className="grid max-w-text gap-2">
      <h3 id="bank-returns" className="font-semibold">
        Money That Goes Back to Your Bank
      </h3>
      <ul className="divide-y divide-rule border-y border-rule">
        {returns.map(({ id, amount, currency, state, paymentId, at }) => (
          <li key={id} className="grid gap-1 py-3">
            <p className="flex flex-wrap items-center justify-between gap-x-4 font-semibold">
              <Money amount={amount} currency={currency} />
              <StatusBadge status={state} looks={looksOf('refund', state)} />
            </p>
            <p className="text-ink-soft text-sm">
              To the account from which it came, <time dateTime={at}>{formatDate(new Date(at))}</time>.{' '}
              <TextLink to={paths.paymentReceipt(paymentId)}>Why, and its receipt</TextLink>
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}
