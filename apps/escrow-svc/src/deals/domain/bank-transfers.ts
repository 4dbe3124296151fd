/** Payments by bank transfer and in cryptocurrency: more time to pay, money that has arrived, and money that is gone again. */
import { PAYMENT_WINDOW_DAYS } from '@holdfast/kernel/clocks'
import { MAX_RECORDED_DECLINES } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { buyerFeesOf } from '@holdfast/kernel/fees'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { daysMs, startClock } from './clocks.js'
import type { Change, Circumstances, Command, Deal, RunningClock } from './deal.js'
import { type Draft, withEffect, withSameStatus, withStatus } from './draft.js'

/** The buyer's money has arrived. Nothing is posted: the provider has it for us only when it is final. */
export function secureFunds(deal: Deal, command: Command & { type: 'secureFunds' }): Draft {
  const buyerFees = buyerFeesOf(deal, command.method)
  const total = deal.priceMinor + buyerFees.buyerFeeMinor
  if (command.amountMinor !== total)
    throw new DomainError('CONFLICT', { paymentId: command.paymentId, expected: formatAmount(total, deal.currency) })
  return {
    ...withStatus(deal, command.type, null, [{ kind: 'secureFunds', status: 'secured' }]),
    buyerFees,
    events: [{ name: 'transactionSecured', status: 'secured', facts: { total: formatAmount(total, deal.currency) } }],
  }
}

/** The bank has taken the money back, or the network has forgotten it. The buyer gets time to pay otherwise. */
export function returnFunds(deal: Deal, { method }: Command & { type: 'returnFunds' }, given: Circumstances): Draft {
  const window =
    method === 'crypto' ? windowOfCrypto(deal, given) : startClock('payment_window', PAYMENT_WINDOW_DAYS[method], given)
  return {
    ...withStatus(deal, 'returnFunds', window, [{ kind: 'returnFunds', status: 'pending' }]),
    // An unpaid deal shows the fees of a card payment.
    buyerFees: buyerFeesOf(deal, 'card'),
    events: [{ name: 'transactionFundsReturned', status: 'pending' }],
  }
}

/**
 * A buyer could make the network drop transfers again and again to keep the deal open. So the window keeps its first end. If that is less
 * than a day away, the buyer gets one day. After `MAX_RECORDED_DECLINES` changes of the deal that day is no longer given.
 */
function windowOfCrypto(deal: Deal, given: Circumstances): RunningClock {
  const whole = startClock('payment_window', PAYMENT_WINDOW_DAYS.crypto, { ...given, now: deal.openedAt })
  const isOften = deal.version > MAX_RECORDED_DECLINES
  const least = startClock('payment_window', isOften ? 0 : PAYMENT_WINDOW_DAYS.card, given)
  return whole.dueAt > least.dueAt ? whole : least
}

/**
 * The buyer has chosen a way to pay that takes longer. The payment window then ends so many days after the deal was opened,
 * however often the buyer chooses it.
 *
 * @returns null when the window lasts long enough already
 */
export function extendPaymentWindow(
  deal: Deal,
  method: PaymentMethod,
  given: Pick<Circumstances, 'daySeconds'>,
): Change | null {
  const dueAt = new Date(deal.openedAt.getTime() + daysMs(PAYMENT_WINDOW_DAYS[method], given))
  if (deal.status !== 'pending' || !deal.clock || deal.clock.dueAt >= dueAt) return null
  const clock = { kind: deal.clock.kind, dueAt }
  return withEffect(deal, {
    ...withSameStatus(deal, [{ kind: 'awaitTransfer', status: deal.status }]),
    clock,
    clockEntries: [{ clock: clock.kind, change: 'extended', cause: 'awaitTransfer', dueAt }],
  })
}
