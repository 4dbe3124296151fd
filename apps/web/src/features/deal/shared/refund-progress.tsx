import type { Transaction } from '@holdfast/contracts/transactions'
import { Notice } from '../../../components/notice.js'
import { useRefundProgress } from './use-refund-progress.js'

/** The progress of a refund, full or partial: on its way, with the buyer's bank, or sent back by it. It is kept fresh. */
export function RefundProgress({ deal }: { deal: Transaction }) {
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
          It goes to the card that paid. This page says so when the payment provider has sent it.
        </Notice>
      )
    case 'returned':
      return (
        <Notice title="The refund was sent">
          The payment provider has sent it to the card that paid. It can take 5 to 10 days until {whose} bank shows it.
        </Notice>
      )
    case 'failed':
      return (
        <Notice tone="trouble" title="The refund failed">
          It did not reach {whose} bank. Holdfast still has the money for {who} and will find another way to pay it.
        </Notice>
      )
  }
}
