/**
 * A model of a deal: the same rules written a second time, as simply as possible, without database, clock or shared code. A
 * move has one or more atomic steps. The answers to moves made at the same time must be those of some order of their steps.
 */
import { afterMessage, type ProviderMessage } from './provider-model.js'

export type Who = 'buyer' | 'seller' | 'stranger'

/** Something that a party, the provider, the carrier, dispute-svc or a clock does. */
export type Move =
  | { readonly move: 'pay'; readonly who: Who; readonly key: string }
  | {
      readonly move: 'cancel' | 'accept' | 'confirmDelivery' | 'saveTracking' | 'refund'
      readonly who: Who
      readonly key: string | null
    }
  | { readonly move: 'handover'; readonly who: Who }
  | { readonly move: 'payAtProvider'; readonly good: boolean }
  | { readonly move: 'webhookSucceeded' | 'webhookDeclined' }
  | { readonly move: 'passDeadline' | 'fireTimers' | 'webhookDelivered' }
  | { readonly move: 'freeze'; readonly who: Who; readonly dispute: number }
  | { readonly move: 'resume'; readonly dispute: number }
  /** An operator refunds the deal in full. Above an amount it only becomes a request. */
  | { readonly move: 'forceRefund' }
  /** Ends a dispute with money: the buyer gets nothing, ten cents, or all of the price back. */
  | { readonly move: 'settle'; readonly dispute: number; readonly back: 'nothing' | 'ten cents' | 'all' }
  /** An operator at the provider, and the buyer's bank. The escrow learns of them by messages only. */
  | { readonly move: 'refundByHand'; readonly part: boolean }
  | { readonly move: 'endRefund'; readonly outcome: 'settle' | 'fail' }
  | { readonly move: 'openChargeback' }
  | { readonly move: 'closeChargeback'; readonly outcome: 'won' | 'lost' }
  /** A message of the provider: any of those that it has sent or will send, so they come late, twice and in any order. */
  | { readonly move: 'sendMessage'; readonly nth: number; readonly copy: boolean }
  | { readonly move: 'sendInquiry'; readonly closed: boolean }
  | { readonly move: 'sendForeign' }
  /** The seller pays their balance out, the timers take its next step, their bank takes or returns it, and a message about it comes. */
  | { readonly move: 'payOut'; readonly key: string }
  | { readonly move: 'sendPayouts' }
  | { readonly move: 'endPayout'; readonly outcome: 'settle' | 'fail' }
  | { readonly move: 'sendPayoutMessage'; readonly nth: number; readonly copy: boolean }

/** A move that was made. What a message says is known only when it was sent. */
export type MadeMove = Move | { readonly move: 'message'; readonly message: ProviderMessage }

/** The state of the buyer's latest payment. `confirmed`: the provider has the money and the escrow has not booked it. */
export type PaymentState = 'none' | 'open' | 'confirmed' | 'closed' | 'booked'

/** The state of a deal in the model. */
export interface ModelDeal {
  readonly status:
    | 'pending'
    | 'paid'
    | 'in_progress'
    | 'shipped'
    | 'inspection'
    | 'completed'
    | 'cancelled'
    | 'disputed'
  readonly payment: PaymentState
  readonly funded: boolean
  readonly strays: number
  readonly tracked: boolean
  readonly asIs: boolean
  /** What the escrow holds of the payment, in minor units. */
  readonly hold: number
  /** What the buyer pays, in minor units. */
  readonly total: number
  /** The part of it that is the buyer's fees. */
  readonly fee: number
  /** Set while the deal is disputed: by a dispute of a party, by the system for a late parcel, or by the provider. */
  readonly frozen: {
    readonly from: ModelDeal['status']
    readonly by: number | 'system' | 'provider'
    /** The open chargebacks and inquiries. */
    readonly chargebacks: readonly string[]
    /** True while a part of the payment is gone. */
    readonly short: boolean
  } | null
  /** The last status of each refund and chargeback at the provider, by the messages that arrived. */
  readonly messages: Readonly<Record<string, ProviderMessage['status']>>
  /** Whether the seller has paid their balance out, and whether a bank may have taken it back. Then it may be zero or below. */
  readonly paidOut: boolean
  readonly reclaimed: boolean
  /** The disputes that have ended, in the order of their numbers. */
  readonly ended: readonly number[]
  /** The first answer to each idempotency key. */
  readonly answers: Readonly<Record<string, string>>
}

export const newDeal = (asIs: boolean, total: number, fee: number): ModelDeal => ({
  status: 'pending',
  payment: 'none',
  funded: false,
  strays: 0,
  tracked: false,
  asIs,
  hold: 0,
  total,
  fee,
  frozen: null,
  messages: {},
  paidOut: false,
  reclaimed: false,
  ended: [],
  answers: {},
})

/** The HTTP status and, after a success, the deal's status: `200 paid`, `409`. */
export type Answer = string

/** A possible result of a step: the deal after it, and the answer if the step ends the move. */
interface Outcome {
  readonly deal: ModelDeal
  readonly answer?: Answer
}
/** `alone` is true when no other move is made at the same time. */
type Step = (deal: ModelDeal, alone: boolean) => readonly Outcome[]

const FUNDED: readonly string[] = ['paid', 'in_progress', 'shipped', 'inspection']
/** A disputed deal has other exits when the system or the provider stopped it. */
function stateOf({ status, frozen }: ModelDeal): string {
  if (frozen?.chargebacks.length) return 'charged_back'
  if (frozen?.short) return 'short'
  return frozen?.by === 'system' ? 'overdue' : status
}
const isGone = (deal: ModelDeal) => deal.status === 'cancelled' && !deal.funded

const answer = (deal: ModelDeal, text: Answer): Outcome[] => [{ deal, answer: text }]

/** A party's command: one step, which repeats the first answer to a used key. */
function command(
  name: string,
  { who, key }: { who: Who; key: string | null },
  by: Who,
  from: readonly string[],
  change: (deal: ModelDeal) => ModelDeal,
): Step {
  const named = key && `${name} ${who} ${key}`
  return deal => {
    const before = named ? deal.answers[named] : undefined
    if (before) return answer(deal, before)
    // A deal that was cancelled unpaid may answer as unknown or with its status.
    if (who === 'stranger') return answer(deal, '404')
    if (who !== by) return [...answer(deal, '403'), ...(isGone(deal) ? answer(deal, '404') : [])]
    if (!from.includes(stateOf(deal))) return [...answer(deal, '409'), ...(isGone(deal) ? answer(deal, '404') : [])]
    const changed = change(deal)
    const text = `200 ${changed.status}`
    return answer(named ? { ...changed, answers: { ...changed.answers, [named]: text } } : changed, text)
  }
}

const endAs =
  (status: 'completed' | 'cancelled') =>
  (deal: ModelDeal): ModelDeal => ({ ...deal, status, hold: 0, frozen: null })

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
    default:
      return deal
  }
}

const freeze = (deal: ModelDeal, by: number | 'system'): ModelDeal => ({
  ...deal,
  status: 'disputed',
  frozen: { from: deal.status, by, chargebacks: [], short: false },
})

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
      return [command('accept', move, 'buyer', ['inspection'], endAs('completed'))]
    case 'confirmDelivery':
      return [
        command('confirmDelivery', move, 'buyer', ['paid', 'in_progress', 'shipped', 'overdue'], deal => ({
          ...deal,
          status: deal.asIs ? 'completed' : 'inspection',
          hold: deal.asIs ? 0 : deal.hold,
          frozen: null,
        })),
      ]
    case 'saveTracking':
      return [
        command('saveTracking', move, 'seller', ['paid', 'in_progress', 'shipped'], deal => ({
          ...deal,
          status: 'shipped',
          tracked: true,
        })),
      ]
    case 'handover':
      return [
        command('handover', { ...move, key: null }, 'seller', ['paid'], deal => ({ ...deal, status: 'in_progress' })),
      ]
    case 'refund':
      return [command('refund', move, 'seller', [...FUNDED, 'overdue', 'short'], endAs('cancelled'))]
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

function freezeStep({ who, dispute }: { who: Who; dispute: number }): Step {
  return deal => {
    if (who === 'stranger') return answer(deal, '404')
    if (deal.frozen?.by === dispute) return answer(deal, '200 disputed')
    if (deal.ended.includes(dispute)) return answer(deal, '409')
    return FUNDED.includes(deal.status) ? answer(freeze(deal, dispute), '200 disputed') : answer(deal, '409')
  }
}

function resumeStep(dispute: number): Step {
  return deal => {
    if (deal.ended.includes(dispute)) return answer(deal, `200 ${deal.status}`)
    const ended = [...deal.ended, dispute].sort((a, b) => a - b)
    // A deal that is over keeps nothing about its disputes.
    if (deal.status === 'completed' || deal.status === 'cancelled') return answer(deal, `200 ${deal.status}`)
    if (!deal.frozen) return answer({ ...deal, ended }, `200 ${deal.status}`)
    const { from, by } = deal.frozen
    if (by !== dispute || stateOf(deal) !== 'disputed') return answer(deal, '409')
    return answer({ ...deal, status: from, frozen: null, ended }, `200 ${from}`)
  }
}

/** The whole balance is paid out. It is above zero from the release until it is paid out or taken back. */
function payOutStep(key: string): Step {
  const named = `payOut ${key}`
  return deal => {
    if (deal.answers[named]) return answer(deal, '201')
    if (deal.status !== 'completed') return answer(deal, '409')
    const paid = { ...deal, paidOut: true, answers: { ...deal.answers, [named]: '201' } }
    return [...answer(paid, '201'), ...(deal.paidOut || deal.reclaimed ? answer(deal, '409') : [])]
  }
}

/** What an operator may refund without a second admin. */
const ALONE_UP_TO = 50_000

function forceRefundStep(deal: ModelDeal): Outcome[] {
  const from = [...FUNDED, 'disputed', 'overdue', 'short']
  if (!from.includes(stateOf(deal))) return answer(deal, '409')
  return deal.hold > ALONE_UP_TO ? answer(deal, '200 waiting') : answer(endAs('cancelled')(deal), '200 done')
}

const TEN_CENTS = 10

function settleStep({ dispute, back }: { dispute: number; back: 'nothing' | 'ten cents' | 'all' }): Step {
  return deal => {
    if (deal.ended.includes(dispute)) return answer(deal, `200 ${deal.status}`)
    if (!deal.frozen || !['disputed', 'overdue', 'short'].includes(stateOf(deal))) return answer(deal, '409')
    const { by } = deal.frozen
    if (typeof by === 'number' && by !== dispute) return answer(deal, '409')
    const held = Math.max(0, deal.hold - deal.fee)
    const refund = { nothing: 0, 'ten cents': TEN_CENTS, all: held }[back]
    if (refund > held) return answer(deal, '400')
    const ended = [...deal.ended, dispute].sort((a, b) => a - b)
    const settled = endAs(refund === held ? 'cancelled' : 'completed')({ ...deal, ended })
    return answer(settled, `200 ${settled.status}`)
  }
}

/** The provider sends a message about a payment again until the payment is booked. */
function messageStep(message: ProviderMessage): Step {
  return deal => {
    if (message.about === 'refund' && message.ours) return answer(deal, '200')
    if (deal.payment !== 'booked') return answer(deal, '503')
    const isTaken = message.about === 'chargeback' && message.status === 'lost'
    return answer({ ...afterMessage(deal, message), reclaimed: deal.reclaimed || isTaken }, '200')
  }
}
