import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { DEAL_STATUSES, type DealStatus, isActive, type PartyRole } from '@holdfast/kernel/deals'
import { type Pages, usePages } from '../../../lib/use-pages.js'

export const RUNNING_STATUSES: readonly DealStatus[] = DEAL_STATUSES.filter(isActive)
/** Finished or cancelled; the server lists a cancelled deal only if its buyer had paid. */
export const PAST_STATUSES: readonly DealStatus[] = DEAL_STATUSES.filter(status => !isActive(status))

export interface DealsQuery {
  readonly role?: PartyRole
  readonly status?: readonly DealStatus[]
  /** What the viewer searches for. */
  readonly q?: string
}

/** The viewer's deals with this role, in one of these statuses and found by `q`, newest first, page by page; null asks nothing yet. */
export function useDealPages(query: DealsQuery | null): Pages<Transaction> {
  const { role, status, q } = query ?? {}
  return usePages(
    routes.listTransactions,
    query && {
      query: { ...(role ? { role } : {}), ...(status ? { status: [...status] } : {}), ...(q ? { q } : {}) },
    },
  )
}
