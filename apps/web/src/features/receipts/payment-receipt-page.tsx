import { routes } from 'virtual:routes'
import { pages } from '@holdfast/contracts/pages'
import type { PaymentReceipt } from '@holdfast/contracts/receipts'
import { useParams } from 'react-router-dom'
import { Facts } from '../../components/facts.js'
import { TextLink } from '../../components/link.js'
import { nameAndUsername } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { formatDate } from '../../lib/time.js'
import { useCall } from '../../lib/use-call.js'
import { type AmountLine, Amounts } from './shared/amounts.js'
import { KIND_LABELS, looksOf, methodLabel } from './shared/history-words.js'
import { ReceiptSheet } from './shared/receipt-sheet.js'

/** The receipt of a payment, to print: what was paid, to whom, how, and what came back. */
export default function PaymentReceiptPage() {
  const { receipt: paymentId = '' } = useParams()
  const query = useCall(routes.getPaymentReceipt, { params: { paymentId } })
  return (
    <ReceiptSheet page={pages.paymentReceipt} query={query} title={({ state }) => TITLES[state]}>
      {receipt => <Receipt receipt={receipt} />}
    </ReceiptSheet>
  )
}

const TITLES: Record<PaymentReceipt['state'], string> = {
  paid: 'Receipt',
  processing: 'Payment under way',
  incomplete: 'Payment under way',
  failed: 'Payment that failed',
}

function Receipt({ receipt }: { receipt: PaymentReceipt }) {
  const { purpose, transactionId, hasTransactionPage, refunds, chargebacks } = receipt
  return (
    <>
      <Facts facts={factsOf(receipt)} />
      {purpose !== 'purchase' && <p className="max-w-text">{PURPOSES[purpose]}</p>}
      <Amounts title="What was paid" currency={receipt.currency} lines={paidLines(receipt)} />
      {refunds.length + chargebacks.length > 0 && (
        <Amounts title="What comes back" currency={receipt.currency} lines={returnLines(receipt)} />
      )}
      {hasTransactionPage && (
        <p className="print:hidden">
          <TextLink to={paths.statement(transactionId)}>Statement of transaction #{transactionId}</TextLink>
        </p>
      )}
    </>
  )
}

const PURPOSES = {
  late: 'This payment came when the transaction was over or already paid. It goes back in full, fees included.',
  unapplied:
    'This money came with a bank transfer and was more than what was to be paid, or came too late. It goes back in full.',
}

function factsOf({
  number,
  state,
  createdAt,
  paidAt,
  buyer,
  seller,
  title,
  transactionId,
  ...receipt
}: PaymentReceipt) {
  const at = paidAt ?? createdAt
  return [
    { label: 'Number', value: <span className="figures break-all">{number}</span> },
    { label: paidAt ? 'Paid on' : 'Begun on', value: <time dateTime={at}>{formatDate(new Date(at))}</time> },
    { label: 'Status', value: looksOf('payment', state).label },
    { label: 'Buyer', value: nameAndUsername(buyer) },
    { label: 'Seller', value: nameAndUsername(seller) },
    { label: 'Item', value: title },
    { label: 'Transaction', value: <span className="figures">#{transactionId}</span> },
    { label: 'Paid with', value: methodLabel(receipt.method, receipt.card) },
  ]
}

function paidLines({ state, lines, total, received }: PaymentReceipt): AmountLine[] {
  return [
    ...lines.map(({ code, label, amount }) => ({ id: code, label, amount })),
    { id: 'total', label: state === 'paid' ? 'Total paid' : 'Total', amount: total, isSum: true },
    ...(received === null ? [] : [{ id: 'received', label: 'Received so far', amount: received }]),
  ]
}

function returnLines({ refunds, chargebacks, returned }: PaymentReceipt): AmountLine[] {
  const lines = [
    ...refunds.map(refund => ({ ...refund, kind: 'refund' as const })),
    ...chargebacks.map(chargeback => ({ ...chargeback, kind: 'chargeback' as const })),
  ]
  return [
    ...lines.map(({ id, kind, state, amount, at }) => ({
      ...{ id, amount },
      label: `${KIND_LABELS[kind]}, ${formatDate(new Date(at))}: ${looksOf(kind, state).label}`,
    })),
    { id: 'returned', label: 'Returned so far', amount: returned, isSum: true },
  ]
}
