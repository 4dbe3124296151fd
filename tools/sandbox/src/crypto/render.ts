import { decimalOf, paymentUri } from './assets.js'
import type { CryptoIntentRecord, WithdrawalRecord } from './records.js'

const iso = (ms: number): string => new Date(ms).toISOString()
const inWhole = (cents: number): string => (cents / 100).toFixed(2)
const MERCHANT = { id: 'd560b17e-bae5-4fbf-8822-518273498c7a', name: 'Holdfast' }

/** A payment intent as the processor writes it (coinify.readme.io/reference/payment-intent-private-resource). */
export function renderIntent(intent: CryptoIntentRecord) {
  return {
    id: intent.id,
    state: intent.state,
    stateReason: intent.stateReason,
    orderId: intent.orderId,
    customerId: intent.customerId,
    merchant: MERCHANT,
    subaccount: null,
    requested: { amount: inWhole(intent.amount), currency: intent.currency },
    quotes: intent.quotes.map(quote => ({
      id: quote.id,
      amount: decimalOf(quote.units, quote.asset),
      currency: quote.asset,
      address: quote.address,
      tag: null,
      paymentUri: paymentUri(quote.asset, quote.address, quote.units),
      expirationTime: iso(quote.expiresAt),
    })),
    payments: intent.payments.map(payment => {
      const quote = intent.quotes.find(({ id }) => id === payment.quoteId)!
      const { automaticRefund } = payment
      return {
        quoteId: payment.quoteId,
        amount: decimalOf(payment.units, quote.asset),
        currency: quote.asset,
        transactionId: payment.transactionId,
        receiverAddress: quote.address,
        receiveTime: iso(payment.receivedAt),
        confirmTime: payment.confirmedAt === null ? null : iso(payment.confirmedAt),
        senderAddresses: [],
        automaticRefund: automaticRefund && {
          id: automaticRefund.id,
          amount: decimalOf(automaticRefund.units, quote.asset),
          currency: quote.asset,
          address: automaticRefund.address,
          state: automaticRefund.state,
        },
      }
    }),
    merchantRefunds: [],
    redirects: { successUrl: null, failureUrl: null },
  } as const
}

/** A withdrawal as the processor writes it (coinify.readme.io/reference/withdrawals-resource). */
export function renderWithdrawal(withdrawal: WithdrawalRecord) {
  return {
    id: withdrawal.id,
    merchant: MERCHANT,
    subaccount: null,
    orderId: withdrawal.orderId,
    state: withdrawal.state,
    amounts: {
      baseAmount: inWhole(withdrawal.amount),
      baseCurrency: withdrawal.currency,
      finalAmount: decimalOf(withdrawal.units, withdrawal.asset),
      finalCurrency: withdrawal.asset,
    },
    destination: { address: withdrawal.address, tag: null },
    transactionId: withdrawal.transactionId,
    context: withdrawal.contextJson ? (JSON.parse(withdrawal.contextJson) as object) : null,
    memo: null,
    customerId: withdrawal.customerId,
  } as const
}
