import type { Transaction } from '@holdfast/contracts/transactions'
import { type Turn, turnInList } from './turn.view.js'
import { useOwnDisputes } from './use-own-disputes.js'

type DisputedDeal = Pick<Transaction, 'id' | 'status' | 'viewerRole' | 'buyer' | 'seller' | 'waitsForBank'>

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
