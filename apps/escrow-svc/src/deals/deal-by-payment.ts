/** A deal with its payment, and with the chargeback or refund that a message of the provider names: from the rows of `deal-reads.ts`. */
import { atLeastZero, type Currency } from '@holdfast/kernel/money'
import type { PaymentMethod, PaymentStatus } from '@holdfast/kernel/payments'
import { account } from '../ledger/domain/journal.js'
import type { RowByChargeback, RowByIntent, RowByRefund } from './deal-reads.js'
import { toDeal } from './deal-row.js'
import type { Chargeback, Deal, GivenBack, Losses, ProviderRefund } from './domain/deal.js'

/** A deal with one of its payments. */
export interface DealWithPayment {
  readonly deal: Deal
  readonly payment: {
    readonly id: string
    readonly status: PaymentStatus
    readonly method: PaymentMethod
    readonly stray: boolean
    readonly amountMinor: bigint
    readonly currency: Currency
  }
}

/** A deal with a payment, and what is known of a chargeback of that payment. */
export interface DealWithChargeback extends DealWithPayment {
  readonly before: ChargebackBefore | null
  readonly losses: Losses
}

/** What is stored of a chargeback. */
export interface ChargebackBefore extends Omit<Chargeback, 'id' | 'asOf'> {
  /** Null when a release has stored it that did not keep the provider's time. */
  readonly asOf: Date | null
  readonly updatedAt: Date
}

/** A deal with a payment, the refund that a message names, and our own refund of that payment. */
export interface DealWithRefund extends DealWithPayment {
  readonly before: (Omit<ProviderRefund, 'providerRefundId'> & { readonly isSentAgain: boolean }) | null
  readonly own: Pick<ProviderRefund, 'id' | 'status' | 'amountMinor'> | null
  /** Whether it is an earlier attempt of a refund of this payment. It has failed, and the refund was sent again. */
  readonly isFailedAttempt: boolean
  readonly besides: GivenBack
}

/** The deal that a read by a payment's intent found. */
export const toFound = (row: RowByIntent): DealWithPayment => ({ deal: toDeal(row), payment: toPayment(row) })

/**
 * What is stored of the chargeback that a message names (null when nothing is), and what lost ones have taken. What came back of a deal that
 * had ended went to our costs and not to those who had lost it, so less than nothing may be left as a loss of ours.
 */
export const toChargeback = (row: RowByChargeback): Pick<DealWithChargeback, 'before' | 'losses'> => ({
  before: row.chargeback_status && {
    status: row.chargeback_status,
    withdrawn: row.chargeback_withdrawn ?? false,
    paymentId: row.chargeback_payment_id!,
    amountMinor: row.chargeback_minor!,
    currency: row.chargeback_currency!,
    asOf: row.chargeback_as_of,
    updatedAt: row.chargeback_updated_at!,
  },
  losses: {
    holdMinor: row.from_hold,
    sellerMinor: row.from_seller,
    revenueMinor: row.from_revenue,
    costsMinor: atLeastZero(row.lost_minor - row.from_hold - row.from_seller - row.from_revenue),
    adjustedMinor: atLeastZero(row.adjusted_minor),
  },
})

/** The refund that a message names, our own refund of the payment, and what else the buyer has got of it. */
export const toRefunds = (row: RowByRefund): Omit<DealWithRefund, keyof DealWithPayment> => ({
  before: row.refund_id
    ? {
        id: row.refund_id,
        status: row.refund_status!,
        origin: row.refund_origin!,
        paymentId: row.refund_payment_id!,
        amountMinor: row.refund_minor!,
        isSentAgain: row.refund_sent_again!,
      }
    : null,
  isFailedAttempt: row.is_failed_attempt,
  besides: {
    leftMinor: row.left_minor,
    takenMinor: row.taken_minor,
    owedOn: row.stray ? account.unapplied(row.payment_id) : account.refundDue(toDeal(row).id),
  },
  own: row.own_refund_id
    ? { id: row.own_refund_id, status: row.own_refund_status!, amountMinor: row.own_refund_minor! }
    : null,
})

const toPayment = (row: RowByIntent): DealWithPayment['payment'] => ({
  id: row.payment_id,
  status: row.payment_status,
  method: row.payment_method,
  stray: row.stray,
  amountMinor: row.payment_minor,
  currency: row.payment_currency,
})
