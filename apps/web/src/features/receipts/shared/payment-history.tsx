import { routes } from 'virtual:routes'
import type { HistoryLine } from '@holdfast/contracts/receipts'
import { isZero } from '@holdfast/kernel/money'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { StatusBadge } from '../../../components/badge.js'
import { LoadError } from '../../../components/load-error.js'
import { Money } from '../../../components/money.js'
import { ShowMore } from '../../../components/show-more.js'
import { Loading, Skeleton } from '../../../components/skeleton.js'
import { paths } from '../../../lib/paths.js'
import { formatDate } from '../../../lib/time.js'
import { usePages } from '../../../lib/use-pages.js'
import { isReturned, KIND_LABELS, looksOf, methodLabel } from './history-words.js'

const LINES_OF_A_PAGE = 20

interface PaymentHistoryProps {
  /** Only what belongs to this deal. */
  transactionId?: number
  /** In place of the list when there is nothing in it. */
  empty: ReactNode
}

/** What the user has paid and what came back, newest first. Each line leads to the receipt of its payment. */
export function PaymentHistory({ transactionId, empty }: PaymentHistoryProps) {
  const list = usePages(routes.listPayments, {
    query: { limit: LINES_OF_A_PAGE, ...(transactionId === undefined ? {} : { transactionId }) },
  })
  if (!list.items)
    return list.error ? (
      <LoadError title="Your payments could not be loaded" error={list.error} retry={list.retry} />
    ) : (
      <Loading label="Loading payments">
        <Skeleton className="h-16 w-full" />
      </Loading>
    )
  if (list.items.length === 0) return empty
  return (
    <div className="grid gap-6">
      <ul className="divide-y divide-rule border-y border-rule">
        {list.items.map(line => (
          <HistoryRow key={line.id} line={line} />
        ))}
      </ul>
      <ShowMore of={list} errorTitle="More payments could not be loaded" />
    </div>
  )
}

function HistoryRow({ line }: { line: HistoryLine }) {
  const { kind, state, paymentId, transactionId, title, method, card, amount, fees, currency, at } = line
  return (
    <li className="py-4">
      <div className="flex items-baseline justify-between gap-x-6">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          <Link to={paths.paymentReceipt(paymentId)} className="min-w-0 break-words underline">
            <span className="sr-only">Receipt: {KIND_LABELS[kind]}, </span>
            {title}
          </Link>
          <StatusBadge status={state} looks={looksOf(kind, state)} />
        </p>
        <p className="text-right font-semibold">
          {isReturned(line) && <span aria-hidden="true">+</span>}
          <Money amount={amount} currency={currency} />
        </p>
      </div>
      <p className="mt-1 text-sm text-ink-soft">
        {KIND_LABELS[kind]}
        {kind === 'payment' ? ' by ' : ' to '}
        {kind === 'chargeback' ? 'your bank' : methodLabel(method, card)}, transaction #{transactionId}
        {!isZero(fees) && (
          <>
            , with fees of <Money amount={fees} currency={currency} />
          </>
        )}
        , <time dateTime={at}>{formatDate(new Date(at))}</time>
      </p>
    </li>
  )
}
