/**
 * What a deal may do, written a second time and as simply as it can be said: no database, no clock, no shared code. A
 * move is one or more steps, each of which happens at one moment; whatever several people saw must be what they would
 * have seen if the steps had happened one after another in some order.
 */
export type Who = 'buyer' | 'seller' | 'stranger'

export type Move =
  | { readonly move: 'pay'; readonly who: Who; readonly key: string }
  | {
      readonly move: 'cancel' | 'accept' | 'confirm' | 'track' | 'refund'
      readonly who: Who
      readonly key: string | null
    }
  | { readonly move: 'handover'; readonly who: Who }
  | { readonly move: 'card'; readonly good: boolean }
  | { readonly move: 'tellSucceeded' | 'tellDeclined' }
  | { readonly move: 'passTime' | 'ring' | 'deliver' }
  | { readonly move: 'freeze'; readonly who: Who; readonly dispute: number }
  | { readonly move: 'resume'; readonly dispute: number }

/** Where the buyer's latest payment is: `confirmed` is money that the provider has and we have not booked. */
export type PaymentState = 'none' | 'open' | 'confirmed' | 'closed' | 'booked'

export interface Deal {
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
  readonly frozen: { readonly from: Deal['status']; readonly dispute: number | null } | null
  /** What was answered under which key. */
  readonly answers: Readonly<Record<string, string>>
}

export const newDeal = (asIs: boolean): Deal => ({
  status: 'pending',
  payment: 'none',
  funded: false,
  strays: 0,
  tracked: false,
  asIs,
  frozen: null,
  answers: {},
})

/** A status and, where it says more, the deal's state: `200 paid`, `409`. */
export type Answer = string

/** What may come of a step: the deal after it, and the answer when the move is over. */
interface Outcome {
  readonly deal: Deal
  readonly answer?: Answer
}
type Step = (deal: Deal, alone: boolean) => readonly Outcome[]

const FUNDED: readonly string[] = ['paid', 'in_progress', 'shipped', 'inspection']
const isGone = (deal: Deal) => deal.status === 'cancelled' && !deal.funded

const answer = (deal: Deal, text: Answer): Outcome[] => [{ deal, answer: text }]

/** A party's command that happens at one moment, with the first answer again to a key that was used. */
function command(
  name: string,
  { who, key }: { who: Who; key: string | null },
  by: Who,
  from: readonly string[],
  change: (deal: Deal) => Deal,
): Step {
  const named = key && `${name} ${who} ${key}`
  return deal => {
    const before = named ? deal.answers[named] : undefined
    if (before) return answer(deal, before)
    // A deal that ended before anybody paid is gone: whether it says so or names its state is the same to its parties.
    if (who === 'stranger') return answer(deal, '404')
    if (who !== by) return [...answer(deal, '403'), ...(isGone(deal) ? answer(deal, '404') : [])]
    if (!from.includes(deal.status)) return [...answer(deal, '409'), ...(isGone(deal) ? answer(deal, '404') : [])]
    const changed = change(deal)
    const text = `200 ${changed.status}`
    return answer(named ? { ...changed, answers: { ...changed.answers, [named]: text } } : changed, text)
  }
}

const settleAs =
  (status: 'completed' | 'cancelled') =>
  (deal: Deal): Deal => ({ ...deal, status })

/** Closes what is open at the provider; money that is there already is booked instead. */
const closePayment: Step = deal => {
  if (deal.status !== 'pending') return [{ deal }]
  if (deal.payment === 'open') return [{ deal: { ...deal, payment: 'closed' } }]
  return [{ deal: deal.payment === 'confirmed' ? bookFunds(deal) : deal }]
}

/** The provider's word that money came: for the deal while it waits for it, otherwise it goes back. */
function bookFunds(deal: Deal): Deal {
  if (deal.payment !== 'confirmed') return deal
  if (deal.status === 'pending') return { ...deal, payment: 'booked', status: 'paid', funded: true }
  return { ...deal, payment: 'booked', strays: deal.strays + 1 }
}

/** The clock ran out. Before a payment window ends the provider is asked: money that is there is never turned away. */
function timePassed(deal: Deal): Deal {
  switch (deal.status) {
    case 'pending':
      if (deal.payment === 'confirmed') return bookFunds(deal)
      return { ...deal, status: 'cancelled', payment: deal.payment === 'open' ? 'closed' : deal.payment }
    case 'paid':
      return settleAs('cancelled')(deal)
    case 'inspection':
      return settleAs('completed')(deal)
    case 'in_progress':
    case 'shipped':
      return freeze(deal, null)
    default:
      return deal
  }
}

const freeze = (deal: Deal, dispute: number | null): Deal => ({
  ...deal,
  status: 'disputed',
  frozen: { from: deal.status, dispute },
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
    // The payment ended while it began: both are the truth.
    return [...answer(kept, '201'), ...answer(deal, '409')]
  }
  return [begin, finish]
}

/** The steps of a move, in order. The last that is reached answers. */
export function stepsOf(move: Move): readonly Step[] {
  switch (move.move) {
    case 'pay':
      return pay(move)
    case 'cancel': {
      const close: Step = (deal, alone) => (move.who === 'stranger' ? [{ deal }] : closePayment(deal, alone))
      const cancel = (deal: Deal, alone: boolean) =>
        command('cancel', move, move.who, ['pending'], settleAs('cancelled'))(deal, alone)
      return [close, cancel]
    }
    case 'accept':
      return [command('accept', move, 'buyer', ['inspection'], settleAs('completed'))]
    case 'confirm':
      return [
        command('confirm', move, 'buyer', ['paid', 'in_progress', 'shipped'], deal => ({
          ...deal,
          status: deal.asIs ? 'completed' : 'inspection',
        })),
      ]
    case 'track':
      return [
        command('track', move, 'seller', ['paid', 'in_progress', 'shipped'], deal => ({
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
      return [command('refund', move, 'seller', FUNDED, settleAs('cancelled'))]
    case 'card':
      return [deal => payByCard(deal, move.good)]
    case 'tellSucceeded':
      return [
        deal =>
          deal.payment === 'confirmed' || deal.payment === 'booked'
            ? answer(bookFunds(deal), '200')
            : answer(deal, 'nothing to tell'),
      ]
    case 'tellDeclined':
      return [deal => answer(deal, deal.payment === 'none' ? 'nothing to tell' : '200')]
    case 'passTime':
      // Beside others it may find that they were faster, before either of its halves.
      return [
        (deal, alone) => (alone ? [{ deal }] : [...closePayment(deal, alone), { deal }]),
        (deal, alone) => [...answer(timePassed(deal), 'passed'), ...(alone ? [] : answer(deal, 'passed'))],
      ]
    case 'ring':
      return [deal => answer(deal, 'rang')]
    case 'deliver':
      return [
        deal => answer(deal.status === 'shipped' && deal.tracked ? { ...deal, status: 'inspection' } : deal, '200'),
      ]
    case 'freeze':
      return [freezeStep(move)]
    case 'resume':
      return [resumeStep(move.dispute)]
  }
}

function payByCard(deal: Deal, good: boolean): Outcome[] {
  if (deal.payment === 'none') return answer(deal, 'no intent')
  if (deal.payment !== 'open') return answer(deal, '400')
  return good ? answer({ ...deal, payment: 'confirmed' }, '200') : answer(deal, '402')
}

function freezeStep({ who, dispute }: { who: Who; dispute: number }): Step {
  return deal => {
    if (who === 'stranger') return answer(deal, '404')
    if (deal.status === 'disputed' && deal.frozen?.dispute === dispute) return answer(deal, '200 disputed')
    return FUNDED.includes(deal.status) ? answer(freeze(deal, dispute), '200 disputed') : answer(deal, '409')
  }
}

function resumeStep(dispute: number): Step {
  return deal => {
    if (deal.status !== 'disputed' || !deal.frozen) return answer(deal, `200 ${deal.status}`)
    const { from, dispute: by } = deal.frozen
    if (by !== null && by !== dispute) return answer(deal, '409')
    return answer({ ...deal, status: from, frozen: null }, `200 ${from}`)
  }
}
