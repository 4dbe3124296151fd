import type { Transaction } from '@holdfast/contracts/transactions'
import { ITEM_AFTER_FORCED_REFUND, whereItemIs } from '@holdfast/kernel/deals'
import { Notice } from '../../../components/notice.js'

/** That Holdfast refunded the deal, why, and what it means for the item; nothing for every other deal. */
export default function ForcedRefund({ deal }: { deal: Pick<Transaction, 'forcedRefund' | 'reached' | 'viewerRole'> }) {
  const { forcedRefund, reached, viewerRole } = deal
  if (!forcedRefund) return null
  const item = whereItemIs(reached.map(({ status }) => status))
  const mustAct = viewerRole === 'seller' && item !== 'with_seller'
  return (
    <Notice tone={mustAct ? 'needs' : 'plain'} title="Holdfast refunded this transaction">
      {forcedRefund.reason && <p className="typed mb-1">Reason: {forcedRefund.reason}</p>}
      <p>{ITEM_AFTER_FORCED_REFUND[item][viewerRole]}</p>
    </Notice>
  )
}
