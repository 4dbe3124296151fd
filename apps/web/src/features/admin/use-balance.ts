import { adminRoutes } from 'virtual:admin-routes'
import { useCall } from '../../lib/use-call.js'

/**
 * The balance of an account of a deal or a user: `hold:7`, `seller_payable:<user id>`. Undefined while it is not known, null
 * when nothing was ever posted on it.
 *
 * @param of the number of the deal or the id of the user; null asks nothing yet
 */
export function useBalance(kind: 'hold' | 'seller_payable', of: string | null): string | null | undefined {
  const { data } = useCall(adminRoutes.listAccounts, of === null ? null : { query: { q: of } })
  return data && (data.find(({ account }) => account === `${kind}:${of}`)?.balance ?? null)
}
