import { routes } from 'virtual:routes'
import { readId } from '@holdfast/contracts/pages'
import { DEAL_STATUSES, isActive } from '@holdfast/kernel/deals'
import { NEWEST_LISTINGS } from '@holdfast/kernel/listings'
import type { LoaderFunction } from 'react-router-dom'
import { isKnownVisitor } from '../lib/current-user.js'
import { callAhead, pagesAhead } from '../lib/read-ahead.js'

// Loaders of pages. Each sends the first requests of its page while the code of the page is loaded, and waits for no answer: the page shows its
// skeleton until the answer comes. On the first page of a visit, the HTML names most of these reads before
// (`apps/gateway/src/web/first-reads.ts`), and the loader gets the same answers.

/** Asks nothing when the address has a query, which chooses other items. */
export const readBrowse: LoaderFunction = ({ request: { signal, url } }) => {
  if (!new URL(url).search) pagesAhead(signal, routes.listListings, { query: NEWEST_LISTINGS })
  return null
}

export const readListing: LoaderFunction = ({ request: { signal }, params }) => {
  const id = readId(params.id)
  if (id !== null) callAhead(signal, routes.getListing, { params: { id: String(id) } })
  return null
}

/** Asks nothing when the address has a query, which chooses another tab. */
export const readDashboard: LoaderFunction = ({ request: { signal, url } }) => {
  if (isKnownVisitor() || new URL(url).search) return null
  pagesAhead(signal, routes.listTransactions, { query: { status: DEAL_STATUSES.filter(isActive) } })
  callAhead(signal, routes.getTransactionSummary, {})
  pagesAhead(signal, routes.listTransactions, { query: { status: DEAL_STATUSES.filter(each => !isActive(each)) } })
  return null
}

export const readTransaction: LoaderFunction = ({ request: { signal }, params }) => {
  const id = readId(params.id)
  if (!isKnownVisitor() && id !== null) callAhead(signal, routes.getTransaction, { params: { id: String(id) } })
  return null
}
