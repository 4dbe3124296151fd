import type { Transaction } from '@holdfast/contracts/transactions'
import { isActive, isFinished, type PartyRole } from '@holdfast/kernel/deals'
import { isMyTurn } from '../../lib/transaction.js'

/** As many completed deals show in the overview (spec section 9). */
export const PREVIOUS_SHOWN = 5

export type Row = Pick<
  Transaction,
  'id' | 'status' | 'viewerRole' | 'turn' | 'clock' | 'updatedAt' | 'paymentProcessing'
>

/**
 * Deals in the order in which they want attention: those that wait for me by their deadline, then the other running ones,
 * then what is over; the latest change first.
 */
export function byAttention<T extends Row>(rows: readonly T[]): T[] {
  const rank = (row: T) => (isMyTurn(row) ? 0 : isActive(row.status) ? 1 : 2)
  return rows.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 0 ? byDeadline(a, b) : byChange(a, b)))
}

// Times on the wire are all UTC in one shape, so their text sorts as they do.
const LAST = '9999'
const byDeadline = (a: Row, b: Row) => (a.clock?.dueAt ?? LAST).localeCompare(b.clock?.dueAt ?? LAST) || byChange(a, b)
const byChange = (a: Row, b: Row) => b.updatedAt.localeCompare(a.updatedAt) || b.id - a.id

export const ofRole = <T extends Row>(rows: readonly T[], role: PartyRole) =>
  rows.filter(row => row.viewerRole === role)

export const active = <T extends Row>(rows: readonly T[]) => rows.filter(row => isActive(row.status))

/** The latest completed deals. */
export const previous = <T extends Row>(rows: readonly T[]) =>
  rows
    .filter(row => isFinished(row.status))
    .toSorted(byChange)
    .slice(0, PREVIOUS_SHOWN)
