import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import type { PayoutReceipt } from '@holdfast/contracts/receipts'
import { isZero } from '@holdfast/kernel/money'
import { useParams } from 'react-router-dom'
import { Facts } from '../../components/facts.js'
import { fullName, useSignedInUser } from '../../lib/current-user.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { type AmountLine, Amounts } from '../receipts/shared/amounts.js'
import { ReceiptSheet } from '../receipts/shared/receipt-sheet.js'
import { looksOfPayout, whereItIs } from './payout-words.js'

/** The receipt of a payout, to print: to which bank, when, and of which transactions it consists. */
export default function PayoutReceiptPage() {
  const { receipt: payoutId = '' } = useParams()
  const query = useCall(routes.getPayoutReceipt, { params: { payoutId } })
  return (
    <ReceiptSheet page={pages.payoutReceipt} query={query} title={() => 'Payout Receipt'}>
      {receipt => <Receipt receipt={receipt} />}
    </ReceiptSheet>
  )
}

function Receipt({ receipt }: { receipt: PayoutReceipt }) {
  const user = useSignedInUser()
  const { number, createdAt, arrivedAt, bankLabel } = receipt
  return (
    <>
      <Facts
        facts={[
          { label: 'Number', value: <span className="figures break-all">{number}</span> },
          { label: 'Made on', value: <time dateTime={createdAt}>{formatDate(new Date(createdAt))}</time> },
          ...(arrivedAt
            ? [{ label: 'Arrived on', value: <time dateTime={arrivedAt}>{formatDate(new Date(arrivedAt))}</time> }]
            : []),
          { label: 'Status', value: looksOfPayout(receipt).label },
          { label: 'Paid to', value: `${fullName(user)} (@${user.username})` },
          { label: 'Bank account', value: bankLabel ?? 'Not known' },
        ]}
      />
      <p className="max-w-text">{whereItIs(receipt)}</p>
      <Amounts title="What it consists of" currency={receipt.currency} lines={linesOf(receipt)} />
    </>
  )
}

/** The seller's part of each transaction, what belongs to none, and the sum. */
function linesOf({ deals, dealCount, otherDeals, corrections, amount }: PayoutReceipt): AmountLine[] {
  const others = dealCount - deals.length
  return [
    ...deals.map(deal => ({
      id: String(deal.transactionId),
      label: `#${deal.transactionId}, ${deal.title}`,
      amount: deal.amount,
    })),
    ...(others > 0 ? [{ id: 'others', label: `${others} older transactions`, amount: otherDeals }] : []),
    ...(isZero(corrections)
      ? []
      : [{ id: 'corrections', label: 'Corrections of your balance by Holdfast', amount: corrections }]),
    { id: 'sum', label: 'Amount of the payout', amount, isSum: true },
  ]
}
