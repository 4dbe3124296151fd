import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { PartyRole } from '@holdfast/kernel/deals'
import type { SWRConfiguration } from 'swr'
import { useCall } from '../../../lib/use-call.js'

/** One deal with its listing, buyer and seller; null asks nothing. */
export function useTransaction(id: number | null, config: SWRConfiguration<Transaction> = {}) {
  return useCall(routes.getTransaction, id === null ? null : { params: { id: String(id) } }, config)
}

/** What a deal is called: its item's title, or its number where there is none. */
export const titleOf = ({ id, listing }: Pick<Transaction, 'id' | 'listing'>) => listing.title || `Transaction #${id}`

/** Whether it is the viewer's turn. While a payment is being confirmed it is no party's turn. */
export const isMyTurn = (deal: Pick<Transaction, 'viewerRole' | 'turn' | 'paymentProcessing'>) =>
  deal.turn === deal.viewerRole && !deal.paymentProcessing

/** The other side of a deal, as the viewer sees it. */
export function otherParty(transaction: Pick<Transaction, 'viewerRole' | 'buyer' | 'seller'>) {
  const role: PartyRole = transaction.viewerRole === 'seller' ? 'buyer' : 'seller'
  return { role, user: transaction[role] }
}
