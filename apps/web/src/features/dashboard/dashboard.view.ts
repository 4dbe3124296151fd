import type { Transaction } from '@holdfast/contracts/transactions'
import { isActive, type PartyRole } from '@holdfast/kernel/deals'
import { isMyTurn } from '../deal/shared/deal.js'
import { type DealsQuery, RUNNING_STATUSES } from '../deal/shared/deal-pages.js'
import type { Turn } from '../disputes/shared/turn.view.js'

/** As many past deals show in the overview (spec section 9). */
const PREVIOUS_SHOWN = 5

/** The running deals that a tab begins with: all of them, or those with one role. */
export const RUNNING: Record<PartyRole | 'both', DealsQuery> = {
  both: { status: RUNNING_STATUSES },
  seller: { role: 'seller', status: RUNNING_STATUSES },
  buyer: { role: 'buyer', status: RUNNING_STATUSES },
}

export type Row = Pick<
  Transaction,
  'id' | 'status' | 'viewerRole' | 'turn' | 'clock' | 'updatedAt' | 'paymentProcessing'
>

/** Whose turn it is in the disputes of deals, by the deal’s id. */
export type Turns = ReadonlyMap<number, Pick<Turn, 'waitsFor' | 'dueAt'>>

/**
 * Deals in the order in which they want attention: those that wait for the viewer by their deadline, then the other
 * running ones, then those that are over; the latest change first.
 */
export function byAttention<T extends Row>(rows: readonly T[], turns: Turns = new Map()): T[] {
  const isMine = (row: T) => turns.get(row.id)?.waitsFor === 'you' || isMyTurn(row)
  const rank = (row: T) => (isMine(row) ? 0 : isActive(row.status) ? 1 : 2)
  const dueAt = (row: T) => turns.get(row.id)?.dueAt ?? row.clock?.dueAt ?? LAST
  const byDeadline = (a: T, b: T) => dueAt(a).localeCompare(dueAt(b)) || byChange(a, b)
  return rows.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? byDeadline(a, b) : byChange(a, b)))
}

// Times on the wire are all UTC in one shape, so their text sorts as they do.
const LAST = '9999'
const byChange = (a: Row, b: Row) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id

/** The latest past deals, by their last change. */
export const latest = <T extends Row>(past: readonly T[]) => past.toSorted(byChange).slice(0, PREVIOUS_SHOWN)
