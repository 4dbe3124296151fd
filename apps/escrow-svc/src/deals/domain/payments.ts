/** What the provider reports about a payment that does not fund the deal: declines, and money that must go back. */
import { MAX_RECORDED_DECLINES } from '@holdfast/kernel/deals'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { strayPayment } from '../../ledger/domain/journal.js'
import type { Change, Deal } from './deal.js'
import { withEffect, withSameStatus } from './draft.js'

/**
 * A stray payment: the deal was paid already or cancelled, or the amount differs from the quote. The money is booked on an
 * account of its own and refunded in full. The deal stays as it is.
 */
export function strayFunds(
  deal: Deal,
  arrived: {
    readonly paymentId: string
    readonly refundId: string
    readonly amountMinor: bigint
    readonly method: PaymentMethod
    readonly withoutCharge?: boolean
  },
): Change {
  const { paymentId, refundId, amountMinor, method, withoutCharge = false } = arrived
  return withEffect(deal, {
    ...withSameStatus(deal, [{ kind: 'strayPayment', status: deal.status }]),
    journal: [strayPayment(paymentId, amountMinor, method)],
    settles: { paymentId, stray: true, withoutCharge },
    refund: { id: refundId, paymentId, amountMinor },
  })
}

/**
 * A decline whose event arrives after a later attempt has succeeded, or after the deal was cancelled. It is only written to the
 * timeline: no party has to do anything.
 */
export function lateDecline(deal: Deal): Change {
  return withEffect(deal, withSameStatus(deal, [{ kind: 'lateDecline', status: deal.status }]))
}

/**
 * The provider declined the payment. The deal stays pending, and the buyer may try again.
 *
 * @returns null when the deal has changed `MAX_RECORDED_DECLINES` times already. The version counts all changes, so the limit can be
 * reached after fewer declines
 */
export function paymentFailed(deal: Deal): Change | null {
  if (deal.version > MAX_RECORDED_DECLINES) return null
  return withEffect(deal, {
    ...withSameStatus(deal, [{ kind: 'paymentFailed', status: deal.status }]),
    events: [{ name: 'transactionPaymentFailed', status: deal.status, facts: { goesBack: false } }],
  })
}

/**
 * Cryptocurrency came that no payment can take: too little, or too late. The processor returns it to the buyer's wallet by itself, so
 * nothing is posted. The deal stays pending.
 *
 * @returns null after many changes of the deal, as `paymentFailed`
 */
export function cryptoReturned(deal: Deal): Change | null {
  if (deal.version > MAX_RECORDED_DECLINES) return null
  return withEffect(deal, {
    ...withSameStatus(deal, [{ kind: 'cryptoReturned', status: deal.status }]),
    events: [{ name: 'transactionPaymentFailed', status: deal.status, facts: { goesBack: true } }],
  })
}
