import { routes } from 'virtual:routes'
import { useSignedInUser } from '../../../lib/current-user.js'
import { useCall } from '../../../lib/use-call.js'

/** The reader’s disputes, newest first. All who ask share one call. */
export function useOwnDisputes(isAsked = true) {
  const { id: userId } = useSignedInUser()
  return useCall(routes.listDisputesOfUser, isAsked ? { params: { userId } } : null)
}

/** The reader's latest dispute about a deal; undefined while it is not known. */
export const useDisputeOf = (transactionId: number) =>
  useOwnDisputes().data?.find(each => each.transactionId === transactionId)
