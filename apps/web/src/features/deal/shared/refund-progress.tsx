import type { Transaction } from '@holdfast/contracts/transactions'
import { Notice } from '../../../components/notice.js'
import { useRefundProgress } from './use-refund-progress.js'

/** The progress of a refund, full or partial: on its way, sent by the payment provider, or failed. It is kept fresh. */
export default function RefundProgress({ deal }: { deal: Transaction }) {
  const { refund, viewerRole, buyer, chargeback } = deal
  useRefundProgress(deal)
  const whose = viewerRole === 'buyer' ? 'your' : `${buyer.firstName}’s`
  const who = viewerRole === 'buyer' ? 'you' : buyer.firstName
  switch (refund) {
    case null:
      return null
    case 'on_its_way':
      return chargeback?.status === 'open' ? (
        <Notice title="The refund waits for the bank">
          While {whose} bank decides about the payment, the payment provider may refuse the refund. It is sent as soon
          as that is possible, unless the bank gives the money back first.
        </Notice>
      ) : (
        <Notice title="The refund is on its way">
          It goes back the way {who} paid: to the card, the bank account or the wallet. This page says so when the
          payment provider has sent it.
        </Notice>
      )
    case 'returned':
      return (
        <Notice title="The refund was sent">
          The payment provider has sent it back the way {who} paid. It can take 5 to 10 days to arrive.
        </Notice>
      )
    case 'failed':
      return (
        <Notice tone="trouble" title="The refund failed">
          It has not arrived. Holdfast still has the money and will send it again or contact {who}.
        </Notice>
      )
  }
}
