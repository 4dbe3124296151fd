import type { Transaction } from '@holdfast/contracts/transactions'
import type { PartyUser } from '@holdfast/contracts/users'
import type { DealStatus } from '@holdfast/kernel/deals'
import { isZero } from '@holdfast/kernel/money'
import type { TimeOptions } from '../../../../lib/time.js'
import { backWithBuyer } from '../money.js'
import { sentencesOf } from './sentences.js'
import type { Stop } from './stops.js'

/** What the money line needs of a deal; a `Transaction` as the server answers it fits. */
export interface MoneyLineDeal
  extends Pick<
    Transaction,
    | 'status'
    | 'amount'
    | 'currency'
    | 'viewerRole'
    | 'turn'
    | 'clock'
    | 'money'
    | 'completesOnDelivery'
    | 'paymentProcessing'
    | 'waitsForBank'
    | 'chargeback'
    | 'refund'
    | 'actions'
    | 'trackingNumber'
  > {
  readonly buyer: Pick<PartyUser, 'firstName'>
  readonly seller: Pick<PartyUser, 'firstName'>
}

/** `due`: not sent yet; `moving`: sent, not final; `held`; `frozen`: held, and in dispute; `arrived`: where it ends. */
export type MarkTone = 'due' | 'moving' | 'held' | 'frozen' | 'arrived'

/** An amount at a place of the line. */
export interface Mark {
  readonly at: Stop
  readonly amount: string
  readonly tone: MarkTone
}

export interface MoneyLineView {
  readonly buyerName: string
  readonly sellerName: string
  readonly currency: string
  /** Where the money is: one mark, or two when it was divided; none when nothing was ever paid; null when the server cannot say. */
  readonly marks: readonly Mark[] | null
  /** Whose turn it is, for the colour: amber is for `you` alone. `none`: the deal goes on and no party has to act. */
  readonly waitsFor: 'you' | 'other' | 'none' | 'mediator' | 'over'
  /** Who must do what, by when: "Your turn: ship by Thu, Dec 4". */
  readonly turn: string
  /** What moves the money next, and what happens when no party acts. */
  readonly next: string
}

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
