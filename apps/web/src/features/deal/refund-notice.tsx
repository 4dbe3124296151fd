import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { Notice } from '../../components/notice.js'
import { useCall } from '../../lib/use-call.js'
import { refundState } from './money-went.js'

/** Ordered is not sent: where the refund of a cancelled deal is, by the ledger's word. */
export function RefundNotice({ deal }: { deal: Transaction }) {
  const { id, status, viewerRole, buyer } = deal
  const { data } = useCall(routes.getLedger, status === 'cancelled' ? { params: { id: String(id) } } : null)
  const state = data && refundState(data)
  if (!state) return null
  const whose = viewerRole === 'buyer' ? 'your' : `${buyer.firstName}’s`
  return state === 'ordered' ? (
    <Notice title="The refund is on its way">
      The payment provider has the order and has not confirmed it yet. It goes to the card that paid.
    </Notice>
  ) : (
    <Notice title="The refund was sent">
      The payment provider has sent it to the card that paid. Until {whose} bank shows it can take 5 to 10 days.
    </Notice>
  )
}
