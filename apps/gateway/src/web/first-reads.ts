import type { FoundPage } from '@holdfast/contracts/find-page'
import { listingRoutes } from '@holdfast/contracts/listings'
import { type Page, pages } from '@holdfast/contracts/pages'
import { transactionRoutes } from '@holdfast/contracts/transaction-routes'
import { userRoutes } from '@holdfast/contracts/users'
import { urlOf } from '@holdfast/http-client/call'
import { DEAL_STATUSES, isActive } from '@holdfast/kernel/deals'
import { NEWEST_LISTINGS } from '@holdfast/kernel/listings'
import type { Reader } from './page-template.js'

type Reads = (id: number | null) => readonly string[]

const RUNNING = DEAL_STATUSES.filter(isActive)
const PAST = DEAL_STATUSES.filter(status => !isActive(status))
const dealsIn = (status: readonly string[]) => urlOf(transactionRoutes.listTransactions.path, { query: { status } })

/** What the first screen of a page asks the API for. Pages that are not named here have nothing loaded ahead. */
const FIRST_READS = new Map<Page, Reads>([
  [pages.browse, () => [urlOf(listingRoutes.listListings.path, { query: NEWEST_LISTINGS })]],
  [pages.listing, id => [urlOf(listingRoutes.getListing.path, { params: { id } })]],
  [pages.dashboard, () => [dealsIn(RUNNING), urlOf(transactionRoutes.getTransactionSummary.path), dealsIn(PAST)]],
  [pages.transaction, id => [urlOf(transactionRoutes.getTransaction.path, { params: { id } })]],
])

/**
 * The addresses of the API that a page asks for first, in the order of the page's requests. The browser begins to load them
 * with the HTML. Each must be exactly the address that the web app asks for; otherwise it is loaded twice, and the journey of the
 * first screens fails.
 *
 * @param hasQuery whether the page's address has a query. A query may choose other data, so only reads that do not depend on it
 * are returned then
 */
export function firstReads({ page, id }: FoundPage, reader: Reader, hasQuery: boolean): readonly string[] {
  const isSignedOut = reader === 'visitor'
  const session = isSignedOut ? [] : [urlOf(userRoutes.getCurrentUser.path)]
  // A visitor sees the sign-in screen in place of the page.
  if (isSignedOut && page.access === 'user') return []
  if (hasQuery && id === null) return session
  return [...session, ...(FIRST_READS.get(page)?.(id) ?? [])]
}
