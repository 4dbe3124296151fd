import { routes } from 'virtual:routes'
import type { Listing } from '@holdfast/contracts/listings'
import type { PartyRole } from '@holdfast/kernel/deals'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import type { Session } from '../../lib/current-user.js'
import { useCall } from '../../lib/use-call.js'

/** The viewer's own deal on a listing among their latest; null when there is none, undefined while not known. */
export function useMyDeal({ id }: Listing, user: Session['user'], role: PartyRole) {
  const { data } = useCall(routes.listTransactions, user ? { query: { limit: MAX_PAGE_SIZE } } : null)
  if (!user) return user
  const ownId = role === 'buyer' ? 'buyerId' : 'sellerId'
  return (
    data && (data.find(deal => deal.listingId === id && deal[ownId] === user.id && deal.status !== 'cancelled') ?? null)
  )
}
