import { type Page, readId } from '@holdfast/contracts/pages'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { ButtonLink } from '../../../components/button.js'
import { PageHead } from '../../../components/page-head.js'
import { PageMessage } from '../../../components/page-message.js'
import { QueryState } from '../../../components/query-state.js'
import { isStatus } from '../../../lib/api.js'
import { paths } from '../../../lib/paths.js'
import { useTransaction } from './deal.js'

/** What the pages about a deal that exists, or existed, say of one that the viewer may not see. */
export const DEAL_NOT_FOUND = {
  title: 'Transaction Not Found',
  text: "The transaction you're looking for doesn't exist or you don't have access to it.",
} as const

interface DealGateProps {
  /** The page's entry in the table of pages. */
  page: Page
  /** The title of the document once the deal is there; without it the page's own. */
  title?: (deal: Transaction) => string
  /** What stands there while it loads. */
  loading: ReactNode
  /** The heading of a failure that is not 'not found'. */
  errorTitle: string
  notFound: { readonly title: string; readonly text: string }
  children: (transaction: Transaction) => ReactNode
}

/** Loads the deal that the address names, and shows its page, or why it cannot be shown. */
export function DealGate({ page, title, loading, errorTitle, notFound, children }: DealGateProps) {
  const id = readId(useParams().id)
  const query = useTransaction(id)
  const { data, error } = query
  if (id === null || isStatus(error, 404))
    return <NotFound {...(data?.status === 'pending' || data?.status === 'cancelled' ? GONE : notFound)} />
  return (
    <>
      <PageHead page={page} {...(data && title ? { title: title(data) } : {})} />
      {data ? (
        children(data)
      ) : (
        <div className="page py-10">
          <QueryState query={query} errorTitle={errorTitle} loading={loading} page>
            {children}
          </QueryState>
        </div>
      )}
    </>
  )
}

/** A deal that was cancelled before the payment is gone for both parties. A page that still shows it says why. */
const GONE = {
  title: 'This transaction was cancelled',
  text: 'It ended before it was paid, so no money is held for it. A payment that was under way in that moment goes back whole.',
}

function NotFound({ title, text }: { title: string; text: string }) {
  return (
    <PageMessage title={title} actions={<ButtonLink to={paths.dashboard}>Back to Dashboard</ButtonLink>}>
      {text}
    </PageMessage>
  )
}
