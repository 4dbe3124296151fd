import { routes } from 'virtual:routes'
import { useSignedInUser } from '../../lib/current-user.js'
import { refresh, useCall } from '../../lib/use-call.js'

/** One's own disputes, and the deals they could be about. */
export function useDisputes() {
  const user = useSignedInUser()
  const params = { userId: user.id }
  const disputes = useCall(routes.listDisputesOfUser, { params })
  const deals = useCall(routes.listTransactionsOfUser, { params, query: {} })
  return {
    user,
    disputes: disputes.data,
    deals: deals.data,
    error: disputes.error ?? deals.error,
    retry: () => {
      void disputes.mutate()
      void deals.mutate()
    },
  }
}

/** A dispute was filed or taken back: it, and the deal it stops or frees, are asked for again. */
export const refreshDisputes = () =>
  refresh(
    routes.listDisputesOfUser,
    routes.listTransactionsOfUser,
    routes.listTransactions,
    routes.getTransaction,
    routes.getTimeline,
  )
