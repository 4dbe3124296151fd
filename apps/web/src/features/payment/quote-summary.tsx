import { routes } from 'virtual:routes'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { LoadError } from '../../components/load-error.js'
import { Money } from '../../components/money.js'
import { Loading, Skeleton } from '../../components/skeleton.js'
import { useCall } from '../../lib/use-call.js'

/** The server's quote for a way to pay. While another one is loaded, the last one stays; when it cannot be loaded, there is none. */
export function useQuote(dealId: number, method: PaymentMethod) {
  const input = { params: { id: String(dealId) }, query: { method } }
  const quote = useCall(routes.getQuote, input)
  const { data: last } = useCall(routes.getQuote, input, { keepPreviousData: true })
  return { ...quote, data: quote.data ?? (quote.error ? undefined : last) }
}

/** What the buyer is charged, line by line, in the server's words. */
export function QuoteSummary({ dealId, method }: { dealId: number; method: PaymentMethod }) {
  const { data, error, mutate } = useQuote(dealId, method)
  if (!data) {
    if (error) return <LoadError title="The fees could not be loaded" error={error} retry={() => void mutate()} />
    return (
      <Loading label="Loading fees">
        <Skeleton className="h-44 w-full" />
      </Loading>
    )
  }
  return (
    <dl className="border-y border-rule">
      {data.lines.map(line => (
        <div key={line.code} className="flex justify-between gap-6 py-2">
          <dt className="text-ink-soft">{line.label}</dt>
          <dd>
            <Money amount={line.amount} currency={data.currency} />
          </dd>
        </div>
      ))}
      <div className="flex items-baseline justify-between gap-6 border-t border-ink py-3 font-semibold">
        <dt>Total due</dt>
        <dd className="text-xl">
          <Money amount={data.total} currency={data.currency} />
        </dd>
      </div>
    </dl>
  )
}
