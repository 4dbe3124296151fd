import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useSignedInUser } from '../../../lib/current-user.js'
import { useCall } from '../../../lib/use-call.js'
import { type Turn, turnInList } from './turn.view.js'

type DisputedDeal = Pick<Transaction, 'id' | 'status' | 'viewerRole' | 'buyer' | 'seller' | 'waitsForBank'>

/** The reader’s disputes, newest first; null asks nothing. All who ask share one call. */
export function useOwnDisputes(isAsked = true) {
  const { id: userId } = useSignedInUser()
  return useCall(routes.listDisputesOfUser, isAsked ? { params: { userId } } : null)
}

/** Whose turn it is in the disputes that stop some of these deals, by the deal’s id. Without a disputed deal nothing is asked. */
export function useTurns(deals: readonly DisputedDeal[]): ReadonlyMap<number, Turn> {
  const disputed = deals.filter(({ status }) => status === 'disputed')
  const { data = [] } = useOwnDisputes(disputed.length > 0)
  return new Map(
    disputed.flatMap(deal => {
      const dispute = data.find(({ transactionId, status }) => transactionId === deal.id && status !== 'closed')
      return dispute ? [[deal.id, turnInList(dispute, deal)]] : []
    }),
  )
}
