import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import type { PartyRole } from '@holdfast/kernel/deals'
import type { Session } from '../../lib/current-user.js'
import { useCall } from '../../lib/use-call.js'

/** The viewer's own deal on a listing; null when there is none, undefined while not known. */
export function useMyDeal({ id }: Listing, user: Session['user'], role: PartyRole) {
  const { data } = useCall(routes.listTransactions, user ? { query: { listingId: id, role } } : null)
  if (!user) return user
  return data && (data.find(deal => deal.status !== 'cancelled') ?? null)
}
