import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { Notice } from '../../components/notice.js'
import { useCall } from '../../lib/use-call.js'
import { refundState } from './money-went.js'
import { isZero } from './shared/money.js'

/** How far a refund is, full or partial: the ledger says whether it was only ordered or sent. */
export function RefundNotice({ deal }: { deal: Transaction }) {
  const { id, money, viewerRole, buyer } = deal
  const { data } = useCall(routes.getLedger, isZero(money.refunded) ? null : { params: { id: String(id) } })
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
