import type Stripe from 'stripe'
import type { Context } from '../context.js'
import type { BalanceRecord, CashRecord, DisputeRecord, RefundRecord } from './records.js'
import { seconds } from './render-time.js'

export function renderBalance(record: BalanceRecord, now: number): Stripe.BalanceTransaction {
  return {
    id: record.id,
    object: 'balance_transaction',
    amount: record.amount,
    available_on: seconds(record.availableAt),
    balance_type: 'payments',
    created: seconds(record.createdAt),
    currency: record.currency,
    description: record.description,
    exchange_rate: null,
    fee: record.fee,
    fee_details:
      record.fee === 0
        ? []
        : [
            {
              amount: record.fee,
              application: null,
              currency: record.currency,
              description: 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: record.amount - record.fee,
    reporting_category: REPORTING[record.type],
    source: record.sourceId,
    status: record.availableAt <= now ? 'available' : 'pending',
    type: record.type,
  }
}

const REPORTING: Readonly<Record<BalanceRecord['type'], string>> = {
  charge: 'charge',
  payment: 'charge',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund_failure',
  adjustment: 'dispute',
  transfer: 'transfer',
  transfer_refund: 'transfer_reversal',
  payout: 'payout',
  payout_failure: 'payout_reversal',
  topup: 'topup',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  tax_fee: 'tax',
}

export function renderCash(record: CashRecord): Stripe.CustomerCashBalanceTransaction {
  const { type, intentId, refundId } = record
  return {
    id: record.id,
    object: 'customer_cash_balance_transaction',
    created: seconds(record.createdAt),
    currency: record.currency,
    customer: record.customerId,
    customer_account: null,
    ending_balance: record.endingBalance,
    ...(type === 'funded' && { funded: { bank_transfer: { reference: null, type: 'us_bank_transfer' } } }),
    livemode: false,
    net_amount: record.netAmount,
    type,
    ...(intentId !== undefined && { [type]: { payment_intent: intentId } }),
    ...(refundId !== undefined && { [type]: { refund: refundId } }),
  }
}

export function renderRefund(refund: RefundRecord): Stripe.Refund {
  return {
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    balance_transaction: refund.balanceId,
    charge: refund.chargeId,
    created: seconds(refund.createdAt),
    currency: refund.currency,
    customer: refund.customerId ?? null,
    customer_account: null,
    ...(refund.failureReason ? { failure_reason: refund.failureReason } : {}),
    ...(refund.failureBalanceId ? { failure_balance_transaction: refund.failureBalanceId } : {}),
    metadata: { ...refund.metadata },
    payment_intent: refund.intentId,
    payment_method: null,
    ...(refund.status === 'pending' ? { pending_reason: 'processing' as const } : {}),
    reason: refund.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: refund.status,
    transfer_reversal: null,
  }
}

/** The fields of a dispute that the product reads; the sandbox has no evidence. */
export function renderDispute(context: Context, dispute: DisputeRecord) {
  return {
    id: dispute.id,
    object: 'dispute',
    amount: dispute.amount,
    balance_transactions: dispute.balanceIds.flatMap(id => {
      const record = context.state.balance.get(id)
      return record ? [renderBalance(record, context.now())] : []
    }),
    charge: dispute.chargeId,
    created: seconds(dispute.createdAt),
    currency: dispute.currency,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: dispute.intentId,
    reason: 'fraudulent',
    status: dispute.status,
  } as const
}
