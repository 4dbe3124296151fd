import { buyerFeesOf } from '@holdfast/kernel/fees'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { DealWithPayment } from '../deals/deal-by-payment.js'
import type { Change, Circumstances } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { strayFunds } from '../deals/domain/payments.js'
import { isOpenPayment } from './payments.repository.js'

const log = loggerOf('funds')

/** What a payment that has succeeded at its provider does to its deal: it is held, or returned as a stray one. */
export function decideFunds(
  { deal, payment }: DealWithPayment,
  arrived: { readonly amountMinor: bigint; readonly currency: string },
  given: Circumstances,
): Change | null {
  if (payment.status === 'succeeded') return null
  const { amountMinor, currency } = arrived
  const { id: paymentId, method } = payment
  const dueMinor = deal.priceMinor + buyerFeesOf(deal, method).buyerFeeMinor
  // A payment that was closed does not count for the deal: another payment may be open instead.
  const isAwaited = (deal.status === 'pending' || deal.status === 'secured') && isOpenPayment(payment.status)
  if (isAwaited && amountMinor === dueMinor)
    return decide(deal, { type: 'recordFunds', paymentId, method, amountMinor, currency }, given)
  log.warn({ transactionId: deal.id, paymentId, status: deal.status }, 'a stray payment is refunded')
  return strayFunds(deal, { paymentId, refundId: given.refundId, amountMinor, method })
}
