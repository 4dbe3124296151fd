import type { HistoryLine, PaymentReceipt, PayoutReceipt } from '@holdfast/contracts/receipts'
import { uuid } from './ids.js'
import { cardQuote } from './payments.js'
import { payout } from './payouts.js'
import { ana, publicBen } from './people.js'

const AT = '2026-03-01T10:00:00.000Z'

/** What Ben paid by card. */
export const historyLine = (more: Partial<HistoryLine> = {}): HistoryLine => ({
  ...{ id: uuid(90), kind: 'payment', state: 'paid', paymentId: uuid(90), transactionId: 7, title: 'Camera' },
  ...{
    method: 'card',
    card: { brand: 'visa', last4: '4242' },
    amount: '107.00',
    fees: '7.00',
    currency: 'USD',
    at: AT,
  },
  ...more,
})

export const paymentReceipt = (more: Partial<PaymentReceipt> = {}): PaymentReceipt => ({
  ...{ paymentId: uuid(90), number: '7-3F2A91BC07DE', state: 'paid', purpose: 'purchase', transactionId: 7 },
  ...{ hasTransactionPage: true, title: 'Camera', buyer: publicBen, seller: ana },
  ...{ method: 'card', card: { brand: 'visa', last4: '4242' }, createdAt: AT, paidAt: AT },
  ...{ currency: 'USD', lines: cardQuote.lines, total: '107.00', received: null },
  ...{ refunds: [], chargebacks: [], returned: '0.00' },
  ...more,
})

export const payoutReceipt = (more: Partial<PayoutReceipt> = {}): PayoutReceipt => ({
  ...payout({ status: 'paid', arrivedAt: AT }),
  ...{ number: 'P-3F2A91BC07DE', dealCount: 1, otherDeals: '0.00', corrections: '0.00' },
  ...more,
})
