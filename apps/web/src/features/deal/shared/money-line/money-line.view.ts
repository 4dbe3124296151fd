import type { DealStatus } from '@holdfast/kernel/deals'
import { isZero } from '@holdfast/kernel/money'
import type { TimeOptions } from '../../../../lib/time.js'
import { backWithBuyer } from '../money.js'
import type { Mark, MoneyLineDeal, MoneyLineView } from './money-line.types.js'
import { sentencesOf } from './sentences.js'

/**
 * Says where a deal's money is, who must act, by when, and what moves it next.
 *
 * @param now for what is left of a deadline
 */
export function moneyLine(deal: MoneyLineDeal, now: Date, options: TimeOptions = {}): MoneyLineView {
  return {
    buyerName: deal.viewerRole === 'buyer' ? 'You' : deal.buyer.firstName,
    sellerName: deal.viewerRole === 'seller' ? 'You' : deal.seller.firstName,
    currency: deal.currency,
    marks: marksOf(deal),
    ...sentencesOf(deal, now, options),
  }
}

/** Before the payment nothing was moved. From then on the amounts say where the money is, whatever the status is. */
function marksOf({ status, money, currency, paymentProcessing, refund }: MoneyLineDeal): readonly Mark[] {
  if (status === 'pending') {
    return paymentProcessing
      ? [{ at: 'to_hold', amount: money.buyerTotal, tone: 'moving' }]
      : [{ at: 'buyer', amount: money.buyerTotal, tone: 'due' }]
  }
  const marks: readonly Mark[] = [
    refund === 'failed'
      ? { at: 'hold', amount: money.refunded, tone: 'held' }
      : { at: 'buyer', amount: backWithBuyer(money, currency), tone: 'arrived' },
    holdMark(status, money),
    { at: 'seller', amount: money.released, tone: 'arrived' },
  ]
  return marks.filter(({ amount }) => !isZero(amount))
}

function holdMark(status: DealStatus, { held, buyerTotal }: MoneyLineDeal['money']): Mark {
  if (status === 'secured') return { at: 'to_hold', amount: isZero(held) ? buyerTotal : held, tone: 'moving' }
  return { at: 'hold', amount: held, tone: status === 'disputed' ? 'frozen' : 'held' }
}
