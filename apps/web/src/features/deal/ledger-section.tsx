import { routes } from 'virtual:routes'
import type { ReactNode } from 'react'
import { LoadError } from '../../components/load-error.js'
import { Money } from '../../components/money.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { formatDateTime } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { type MoneyStep, type MoneyWent, moneyWent } from './money-went.js'

interface LedgerSectionProps {
  transactionId: number
  secured: boolean
  /** What else is said about the money of this deal. */
  children?: ReactNode
}

/** Every movement of the deal's money, and where it lies now: the parts sum to what was paid. */
export default function LedgerSection({ transactionId, secured, children }: LedgerSectionProps) {
  const { data, error, mutate } = useCall(routes.getLedger, { params: { id: String(transactionId) } })
  return (
    <section aria-labelledby="ledger">
      <h2 id="ledger" className="display mb-3 text-xl">
        Where the money went
      </h2>
      {data ? (
        <Ledger went={moneyWent(data)} secured={secured} />
      ) : error ? (
        <LoadError title="The movements could not be loaded" error={error} retry={() => void mutate()} />
      ) : (
        <Loading label="Loading movements">
          <Skeleton className="h-24 w-full" />
        </Loading>
      )}
      {children}
    </section>
  )
}

const UNPAID_WORDS = 'Nothing has been paid yet, so no money has moved.'
const SECURED_WORDS = 'The buyer’s transfer has arrived. The money is held as soon as it is confirmed.'

function Ledger({ went, secured }: { went: MoneyWent | null; secured: boolean }) {
  if (!went) return <p className="text-ink-soft">{secured ? SECURED_WORDS : UNPAID_WORDS}</p>
  return (
    <table className="w-full border-y border-rule text-left">
      <caption className="sr-only">Movements of money, oldest first, and where it is now</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Movement</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      {went.steps.map(step => (
        <Movement key={step.id} step={step} currency={went.currency} />
      ))}
      <Balance went={went} />
    </table>
  )
}

function Movement({ step, currency }: { step: MoneyStep; currency: string }) {
  return (
    <tbody className="border-b border-rule">
      <tr>
        <th scope="colgroup" colSpan={2} className="pt-3 font-semibold">
          <span className="flex flex-wrap items-baseline justify-between gap-x-4">
            {step.title}
            <time dateTime={step.at} className="figures text-sm font-normal text-ink-soft">
              {formatDateTime(new Date(step.at))}
            </time>
          </span>
        </th>
      </tr>
      {step.rows.map(row => (
        <tr key={`${row.from} ${row.to}`} className="align-baseline last:*:pb-3">
          <td className="py-0.5 pr-4 text-ink-soft">
            {row.from} <span className="sr-only">to</span>
            <span aria-hidden="true">→</span> {row.to}
          </td>
          <td className="py-0.5 text-right">
            <Money amount={row.amount} currency={currency} />
          </td>
        </tr>
      ))}
    </tbody>
  )
}

function Balance({ went }: { went: MoneyWent }) {
  return (
    <tbody>
      <tr>
        <th scope="colgroup" colSpan={2} className="pt-3 font-semibold">
          Where it is now
        </th>
      </tr>
      {went.places.map(place => (
        <tr key={place.label}>
          <td className="py-0.5 pr-4 text-ink-soft">{place.label}</td>
          <td className="py-0.5 text-right">
            <Money amount={place.amount} currency={went.currency} />
          </td>
        </tr>
      ))}
      <tr className="font-semibold">
        <td className="pt-1 pb-3">The sum, as paid</td>
        <td className="pt-1 pb-3 text-right">
          <span className="inline-block border-t border-ink pt-1">
            <Money amount={went.sum} currency={went.currency} />
          </span>
        </td>
      </tr>
    </tbody>
  )
}
