/**
 * A model of a deal: the same rules written a second time, as simply as possible, without database, clock or shared code. A
 * move has one or more atomic steps. The answers to moves made at the same time must be those of some order of their steps.
 */
import type { MadeMove, Who } from './deal-moves.js'
import {
  answer,
  endAs,
  FUNDED,
  freeze,
  type ModelDeal,
  type Outcome,
  refundInFull,
  type Step,
  stateOf,
} from './deal-state.js'
import { forceRefundStep, freezeStep, resumeStep, settleStep } from './dispute-model.js'
import { afterMessage, type ProviderMessage } from './provider-model.js'

const isGone = (deal: ModelDeal) => deal.status === 'cancelled' && !deal.funded

/** A party's command: one step, which repeats the first answer to a used key. */
function command(
  name: string,
  { who, key }: { who: Who; key: string | null },
  by: Who,
  from: readonly string[],
  change: (deal: ModelDeal) => ModelDeal,
  needsSeller = false,
): Step {
  const named = key && `${name} ${who} ${key}`
  return deal => {
    const before = named ? deal.answers[named] : undefined
    if (before) return answer(deal, before)
    // A deal that was cancelled unpaid may answer as unknown or with its status.
    if (who === 'stranger') return answer(deal, '404')
    if (who !== by) return [...answer(deal, '403'), ...(isGone(deal) ? answer(deal, '404') : [])]
    if (!from.includes(stateOf(deal))) return [...answer(deal, '409'), ...(isGone(deal) ? answer(deal, '404') : [])]
    if (needsSeller && !deal.accepted) return answer(deal, '409')
    const changed = change(deal)
    const text = `200 ${changed.status}`
    return answer(named ? { ...changed, answers: { ...changed.answers, [named]: text } } : changed, text)
  }
}

/** Cancels the open payment at the provider. If it has succeeded already, the funds are booked. */
const closePayment: Step = deal => {
  if (deal.status !== 'pending') return [{ deal }]
  if (deal.payment === 'open') return [{ deal: { ...deal, payment: 'closed' } }]
  return [{ deal: deal.payment === 'confirmed' ? bookFunds(deal) : deal }]
}

/** Books money that the provider has: as the deal's funds while the deal is pending, otherwise as a stray payment. */
function bookFunds(deal: ModelDeal): ModelDeal {
  if (deal.payment !== 'confirmed') return deal
  if (deal.status === 'pending') return { ...deal, payment: 'booked', status: 'paid', funded: true, hold: deal.total }
  return { ...deal, payment: 'booked', strays: deal.strays + 1 }
}

/** Gives the command of a due clock. A payment window that ends books the funds if the provider has them. */
function endDueClock(deal: ModelDeal): ModelDeal {
  switch (deal.status) {
    case 'pending':
      if (deal.payment === 'confirmed') return bookFunds(deal)
      return { ...deal, status: 'cancelled', payment: deal.payment === 'open' ? 'closed' : deal.payment }
    case 'paid':
      return endAs('cancelled')(deal)
    case 'inspection':
      return endAs('completed')(deal)
    case 'in_progress':
    case 'shipped':
      return freeze(deal, 'system')
    case 'disputed':
      return deal.frozen?.shipByGoesOn && deal.frozen.chargebacks.length === 0 ? refundInFull(deal) : deal
    default:
      return deal
  }
}

function pay({ who, key }: { who: Who; key: string }): Step[] {
  const named = `pay ${who} ${key}`
  const begin: Step = deal => {
    if (deal.answers[named]) return answer(deal, '201')
    if (who === 'stranger') return answer(deal, '404')
    if (who === 'seller') return answer(deal, '403')
    if (deal.status !== 'pending') return answer(deal, '409')
    return [{ deal: deal.payment === 'none' || deal.payment === 'closed' ? { ...deal, payment: 'open' } : deal }]
  }
  const finish: Step = deal => {
    const kept = { ...deal, answers: { ...deal.answers, [named]: '201' } }
    if (deal.status === 'pending' && deal.payment === 'open') return answer(kept, '201')
    // The payment ended while it was being opened. Both answers are correct.
    return [...answer(kept, '201'), ...answer(deal, '409')]
  }
  return [begin, finish]
}

/** The steps of a move, in order. A step that answers ends the move. */
export function stepsOf(move: MadeMove): readonly Step[] {
  switch (move.move) {
    case 'pay':
      return pay(move)
    case 'cancel': {
      const close: Step = (deal, alone) => (move.who === 'stranger' ? [{ deal }] : closePayment(deal, alone))
      const cancel = (deal: ModelDeal, alone: boolean) =>
        command('cancel', move, move.who, ['pending'], endAs('cancelled'))(deal, alone)
      return [close, cancel]
    }
    case 'accept':
      return [command('accept', move, 'buyer', ['inspection'], endAs('completed'), true)]
    case 'confirmDelivery':
      return [
        command(
          'confirmDelivery',
          move,
          'buyer',
          ['paid', 'in_progress', 'shipped', 'overdue'],
          deal => ({
            ...deal,
            status: deal.asIs ? 'completed' : 'inspection',
            hold: deal.asIs ? 0 : deal.hold,
            frozen: null,
          }),
          true,
        ),
      ]
    case 'saveTracking':
      return [
        command('saveTracking', move, 'seller', ['paid', 'in_progress', 'shipped'], deal => ({
          ...deal,
          status: 'shipped',
          tracked: true,
          accepted: true,
        })),
      ]
    case 'handover':
      return [
        command('handover', { ...move, key: null }, 'seller', ['paid'], deal => ({
          ...deal,
          status: 'in_progress',
          accepted: true,
        })),
      ]
    case 'refund':
      return [command('refund', move, 'seller', [...FUNDED, 'overdue', 'short'], refundInFull)]
    case 'payAtProvider':
      return [deal => payAtProvider(deal, move.good)]
    case 'webhookSucceeded':
      return [
        deal =>
          deal.payment === 'confirmed' || deal.payment === 'booked'
            ? answer(bookFunds(deal), '200')
            : answer(deal, 'no event'),
      ]
    case 'webhookDeclined':
      return [deal => answer(deal, deal.payment === 'none' ? 'no event' : '200')]
    case 'passDeadline':
      // Other moves at the same time may come first. Then the deadline has no effect any more.
      return [
        (deal, alone) => (alone ? [{ deal }] : [...closePayment(deal, alone), { deal }]),
        (deal, alone) => [
          ...answer(endDueClock(deal), 'deadline passed'),
          ...(alone ? [] : answer(deal, 'deadline passed')),
        ],
      ]
    case 'fireTimers':
      return [deal => answer(deal, 'fired')]
    case 'webhookDelivered':
      return [
        deal => {
          const isAwaited =
            deal.status === 'shipped' || (stateOf(deal) === 'overdue' && deal.frozen?.from === 'shipped')
          return answer(isAwaited && deal.tracked ? { ...deal, status: 'inspection', frozen: null } : deal, '200')
        },
      ]
    case 'freeze':
      return [freezeStep(move)]
    case 'resume':
      return [resumeStep(move.dispute)]
    case 'settle':
      return [settleStep(move)]
    case 'forceRefund':
      return [forceRefundStep]
    case 'message':
      return [messageStep(move.message)]
    case 'refundByHand':
    case 'endRefund':
    case 'openChargeback':
    case 'closeChargeback':
    case 'decideAgain':
      return [deal => answer(deal, 'at the provider')]
    case 'sendMessage':
    case 'sendInquiry':
      return [deal => answer(deal, 'no event')]
    case 'payOut':
      return [payOutStep(move.key)]
    case 'sendPayouts':
    case 'endPayout':
    case 'sendPayoutMessage':
      return [deal => answer(deal, 'no matter')]
    case 'sendForeign':
      return [deal => answer(deal, '200 200 200 200 400')]
  }
}

function payAtProvider(deal: ModelDeal, good: boolean): Outcome[] {
  if (deal.payment === 'none') return answer(deal, 'no intent')
  if (deal.payment !== 'open') return answer(deal, '400')
  return good ? answer({ ...deal, payment: 'confirmed' }, '200') : answer(deal, '402')
}

/**
 * The balance is paid out, less what a bank may still take of it. It is above zero from the release until it is paid out or taken back. A
 * bank that decides about the whole payment may take all of it. One that decides about a stray payment may take nothing.
 */
function payOutStep(key: string): Step {
  const named = `payOut ${key}`
  return deal => {
    if (deal.answers[named]) return answer(deal, '201')
    if (deal.status !== 'completed') return answer(deal, '409')
    const paid = { ...deal, paidOut: true, answers: { ...deal.answers, [named]: '201' } }
    const atBank = Object.values(deal.atBank).reduce((sum, amount) => sum + amount, 0)
    if (atBank >= deal.total && deal.strays === 0) return answer(deal, '409')
    return [...answer(paid, '201'), ...(deal.paidOut || deal.reclaimed || atBank > 0 ? answer(deal, '409') : [])]
  }
}

/** The provider sends a message about a payment again until the payment is booked. */
function messageStep(message: ProviderMessage): Step {
  return deal => {
    if (message.about === 'refund' && message.ours) return answer(deal, '200')
    if (deal.payment !== 'booked') return answer(deal, '503')
    const after = afterMessage(deal, message)
    if (message.about !== 'chargeback') return answer(after, '200')
    const { id, status, amount } = message
    const isUndecided = status === 'inquiry' || status === 'open'
    // What is decided stays decided, also when an earlier message about it comes late.
    const atBank = { ...deal.atBank, [id]: isUndecided && deal.atBank[id] !== 0 ? amount : 0 }
    return answer({ ...after, atBank, reclaimed: deal.reclaimed || status === 'lost' }, '200')
  }
}
