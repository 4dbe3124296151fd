import { routes } from 'virtual:routes'
import { displayAmount } from '@holdfast/kernel/money'
import { LoadError } from '../../components/load-error.js'
import { Skeleton } from '../../components/skeleton.js'
import { useCall } from '../../lib/use-call.js'

/** The four figures of the overview. */
export function StatCards() {
  const { data, error, mutate } = useCall(routes.getTransactionSummary, {})
  if (error && !data)
    return <LoadError title="The figures could not be loaded" error={error} retry={() => void mutate()} />
  const stats = [
    { label: 'Active Sales', value: data && String(data.activeSales) },
    { label: 'Total Earnings', value: data && displayAmount(data.totalEarnings, data.currency) },
    { label: 'Active Purchases', value: data && String(data.activePurchases) },
    { label: 'Total Spent', value: data && displayAmount(data.totalSpent, data.currency) },
  ]
  return (
    <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-rule bg-rule lg:grid-cols-4">
      {stats.map(stat => (
        <div key={stat.label} className="bg-surface px-4 py-4 sm:px-5 sm:py-5">
          <dt className="text-sm text-ink-soft">{stat.label}</dt>
          <dd className="figures mt-1 text-xl font-semibold sm:text-2xl">
            {stat.value ?? <Skeleton className="inline-block h-5 w-20 align-middle" />}
          </dd>
        </div>
      ))}
    </dl>
  )
}
