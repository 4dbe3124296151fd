import type { Transaction } from '@holdfast/contracts/transactions'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { ButtonLink } from '../../../components/button.js'
import { LoadError } from '../../../components/load-error.js'
import { isStatus } from '../../../lib/api.js'
import { paths, readId } from '../../../lib/paths.js'
import { useTitle } from '../../../lib/use-title.js'
import { useTransaction } from './deal.js'

interface DealGateProps {
  /** What stands there while it loads. */
  loading: ReactNode
  /** The heading of a failure that is not 'not found'. */
  errorTitle: string
  notFound: { readonly title: string; readonly text: string }
  children: (transaction: Transaction) => ReactNode
}

/** Loads the deal that the address names, and shows its page, or why it cannot be shown. */
export function DealGate({ loading, errorTitle, notFound, children }: DealGateProps) {
  const id = readId(useParams().id)
  const { data, error, mutate } = useTransaction(id)
  if (id === null || isStatus(error, 404)) return <NotFound {...(data ? GONE : notFound)} />
  if (data) return children(data)
  return (
    <div className="page py-10">
      {error ? <LoadError page title={errorTitle} error={error} retry={() => void mutate()} /> : loading}
    </div>
  )
}

/** A deal that was cancelled before anybody paid is gone for both; who still looks at it is told why. */
const GONE = {
  title: 'This transaction was cancelled',
  text: 'It ended before anything was paid, so nothing was charged and nothing is held. A payment that was under way in that moment goes back whole.',
}

function NotFound({ title, text }: { title: string; text: string }) {
  useTitle(title)
  return (
    <div className="page py-16 sm:py-24">
      <h1 className="display text-3xl">{title}</h1>
      <p className="mt-3 max-w-prose text-ink-soft">{text}</p>
      <div className="mt-6">
        <ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>
      </div>
    </div>
  )
}
