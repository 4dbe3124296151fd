import type { DealStatus, PartyRole } from '@holdfast/kernel/deals'
import { displayAmount, isZero } from '@holdfast/kernel/money'
import { formatDeadline, formatTimeLeft, type TimeOptions } from '../../../../lib/time.js'
import { backWithBuyer, isPaid } from '../money.js'
import { isOverdue } from '../overdue.js'
import type { MoneyLineDeal, MoneyLineView } from './money-line.types.js'

/** The parts of the sentences, as the viewer reads them. */
interface Words {
  /** "you", or the first name. */
  readonly buyer: string
  readonly seller: string
  /** " by Thu, Dec 4", or nothing where no deadline runs. */
  readonly by: string
  /** ", 2 days 4 h left", or that the time is up. */
  readonly left: string
  /** What happens if no party acts before the deadline. `then` names the deadline in the sentence. */
  readonly otherwise: (then?: string) => string
  readonly amount: (amount: string) => string
}

function wordsOf(deal: MoneyLineDeal, now: Date, options: TimeOptions): Words {
  const name = (role: PartyRole) => (deal.viewerRole === role ? 'you' : deal[role].firstName)
  const dueAt = deal.clock && new Date(deal.clock.dueAt)
  const timeLeft = dueAt && formatTimeLeft(dueAt, now)
  const words = {
    buyer: name('buyer'),
    seller: name('seller'),
    amount: (amount: string) => displayAmount(amount, deal.currency),
  }
  return {
    ...words,
    by: dueAt ? ` by ${formatDeadline(dueAt, now, options)}` : '',
    left: dueAt ? (timeLeft ? `, ${timeLeft} left` : ', the time is up') : '',
    otherwise: then => (deal.clock ? otherwise(deal.clock.outcome, words, deal.money.sellerNet, then) : ''),
  }
}

function otherwise(
  outcome: NonNullable<MoneyLineDeal['clock']>['outcome'],
  { buyer, seller, amount }: Pick<Words, 'buyer' | 'seller' | 'amount'>,
  sellerNet: string,
  then = 'by then',
): string {
  switch (outcome) {
    case 'cancelled':
      return `If nothing is paid ${then}, the transaction is cancelled and nothing is charged.`
    case 'refunded':
      return `If nothing is shipped ${then}, everything goes back to ${buyer}.`
    case 'disputed':
      return `If the delivery is not confirmed ${then}, a mediator looks at it. The money is not released before that.`
    case 'released':
      return `If the time ends without a dispute, ${amount(sellerNet)} goes to ${seller}.`
  }
}

type Sentences = Pick<MoneyLineView, 'waitsFor' | 'turn' | 'next'>

/** The sentence of a party's turn: what to do when it is the viewer's turn, whom to wait for when it is the other's. */
function turnOf(
  role: PartyRole,
  deal: MoneyLineDeal,
  words: Words,
  deed: string,
): Pick<Sentences, 'waitsFor' | 'turn'> {
  if (deal.viewerRole === role) return { waitsFor: 'you', turn: `Your turn: ${deed}${words.by}` }
  return { waitsFor: 'other', turn: `Waiting for ${deal[role].firstName} to ${deed}${words.left}` }
}

/**
 * Says in words whose turn it is in a deal, and what moves its money next.
 *
 * @param now for what is left of a deadline
 */
export function sentencesOf(deal: MoneyLineDeal, now: Date, options: TimeOptions): Sentences {
  const words = wordsOf(deal, now, options)
  const isOpen = deal.chargeback?.status === 'open' && deal.refund !== 'failed'
  return isOpen ? disputedByBank(words) : SENTENCES[deal.status](words, deal)
}

const SENTENCES: Record<DealStatus, (words: Words, deal: MoneyLineDeal) => Sentences> = {
  pending: (words, deal) =>
    deal.paymentProcessing
      ? {
          waitsFor: 'none',
          turn: 'The payment is being confirmed',
          next: 'The payment provider tells us when the money has arrived. There is no need to pay again.',
        }
      : {
          ...turnOf(
            'buyer',
            deal,
            words,
            words.buyer === 'you' && deal.openedBy === 'seller' ? 'pay or decline' : 'pay',
          ),
          next: `${notAccepted(words, deal)}Once ${words.buyer === 'you' ? 'you have' : `${words.buyer} has`} paid, the money is held and ${words.seller} can ship. ${words.otherwise()}`.trim(),
        },
  secured: words => ({
    waitsFor: 'none',
    turn: `The funds have arrived and become final soon${words.left}`,
    next: `Until then there is nothing to ship. Then they are held, and it is ${words.seller === 'you' ? 'your' : `${words.seller}'s`} turn.`,
  }),
  paid: (words, deal) =>
    deal.sellerAccepted
      ? {
          ...turnOf('seller', deal, words, 'ship'),
          next: `The money is held. Shipping does not move it. ${words.otherwise()}`.trim(),
        }
      : {
          ...turnOf('seller', deal, words, words.seller === 'you' ? 'ship or decline' : 'accept and ship'),
          next: `${notAccepted(words, deal)}The money is held. ${words.otherwise()}`.trim(),
        },
  in_progress: (words, deal) => ({
    ...turnOf('buyer', deal, words, 'confirm the hand-over'),
    next: `${deliveryEffect(words, deal)} ${words.otherwise()}`.trim(),
  }),
  shipped: (words, deal) =>
    deal.turn
      ? {
          ...turnOf('buyer', deal, words, 'confirm that it arrived'),
          next: `${deliveryEffect(words, deal)} ${words.otherwise()}`.trim(),
        }
      : {
          waitsFor: 'none',
          turn: `On its way to ${words.buyer}`,
          // The turn names no date here, so the consequence does.
          next: `${deliveryEffect(words, deal)} ${words.otherwise(words.by.trim())}`.trim(),
        },
  delivered: inspecting,
  inspection: inspecting,
  released: finished,
  completed: finished,
  cancelled: (words, deal) =>
    deal.refund === 'failed'
      ? owed(words, deal)
      : {
          waitsFor: 'over',
          turn: isPaid(deal.money)
            ? `Cancelled: ${partsOf(words, deal, 'goes')}`
            : 'Cancelled before anything was paid',
          next: 'Nothing is held, and nothing is left to do.',
        },
  disputed: (words, deal) => {
    if (deal.waitsForBank) return waitingForBank(words)
    if (!isZero(backWithBuyer(deal.money, deal.currency))) return short(words, deal)
    return isOverdue(deal)
      ? overdue(words, deal)
      : {
          waitsFor: 'mediator',
          turn: 'On hold: a dispute has stopped it',
          next: deal.clock
            ? `The time to ship goes on, because ${words.seller} filed the dispute. When it ends, the money goes back to ${words.buyer} and the dispute is closed.`
            : 'The money stays held until the dispute is settled, withdrawn or ruled on. The case says whose turn it is.',
        }
  },
}

/** What it means that a seller whom the buyer has named has not accepted the deal; empty once they have. */
function notAccepted({ buyer, seller }: Words, { sellerAccepted }: MoneyLineDeal): string {
  if (sellerAccepted) return ''
  return seller === 'you'
    ? `${buyer} has named you as the seller, and you have accepted nothing yet. You accept these terms when you ship or hand over the item. You can decline at any time before. `
    : `${seller} has not accepted these terms yet, and does so by shipping or handing over the item. `
}

/** The buyer's bank returned the refund, so that the buyer does not have the money. */
function owed({ amount, buyer }: Words, { money }: MoneyLineDeal): Sentences {
  return {
    waitsFor: 'none',
    turn: `Cancelled: the refund of ${amount(money.refunded)} to ${buyer} failed`,
    next: `Holdfast still has the money and pays it to ${buyer}. Neither of you has to act.`,
  }
}

/** The buyer's bank disputes the payment. No party can do anything until it has decided. */
function waitingForBank({ buyer }: Words): Sentences {
  return {
    waitsFor: 'none',
    turn: `On hold: ${buyer === 'you' ? 'your' : `${buyer}’s`} bank decides`,
    next: 'The bank disputes the payment and decides within some weeks. Until then every deadline is paused, and the money is not released.',
  }
}

/** The deal is over, and the buyer's bank disputes its payment. Below the line stands what that means for the viewer. */
function disputedByBank({ buyer }: Words): Sentences {
  return {
    waitsFor: 'none',
    turn: buyer === 'you' ? 'Your bank looks at the payment' : `${buyer}’s bank disputes the payment`,
    next: 'The transaction itself is over. The bank decides within some weeks.',
  }
}

/** A part of the payment is back with the buyer, so that the rest does not pay what was agreed. */
function short(words: Words, { money, currency }: MoneyLineDeal): Sentences {
  const back = words.amount(backWithBuyer(money, currency))
  const who = words.seller === 'you' ? 'You can' : `${words.seller} can`
  return {
    waitsFor: 'mediator',
    turn: `On hold: ${back} went back to ${words.buyer}`,
    next: `${words.amount(money.held)} stays held and is not released. ${who} refund it to ${words.buyer}. Both of you can agree on a split in the case, or a mediator rules.`,
  }
}

/** The system filed the dispute, because the item did not arrive in time. Either party can still end it. */
function overdue(words: Words, deal: MoneyLineDeal): Sentences {
  const refund = words.seller === 'you' ? 'You can also refund' : `${words.seller} can also refund`
  return {
    waitsFor: 'mediator',
    turn: 'On hold: the item did not arrive in time',
    next: `A mediator looks at it. ${deliveryEffect(words, deal)} ${refund} ${words.buyer} in full. Until then the money stays held.`,
  }
}

function deliveryEffect({ buyer, seller }: Words, deal: MoneyLineDeal): string {
  const who = buyer === 'you' ? 'you confirm' : `${buyer} confirms`
  if (deal.completesOnDelivery)
    return `The item is sold as-is: when ${who} delivery, the money goes to ${seller} at once.`
  const orCarrier = deal.trackingNumber === null ? '' : ', or the carrier does,'
  return `When ${who} delivery${orCarrier} the inspection begins.`
}

function inspecting(words: Words, deal: MoneyLineDeal): Sentences {
  const accepts = words.buyer === 'you' ? 'you accept' : `${words.buyer} accepts`
  return {
    ...turnOf('buyer', deal, words, 'inspect and accept'),
    next: `When ${accepts}, or the time ends without a dispute, ${words.amount(deal.money.sellerNet)} goes to ${words.seller}. A dispute keeps the money held.`,
  }
}

function finished(words: Words, deal: MoneyLineDeal): Sentences {
  return {
    waitsFor: 'over',
    turn: partsOf(words, deal, 'went'),
    next:
      deal.viewerRole === 'seller' && !isZero(deal.money.released)
        ? 'It is on your balance. A balance below zero is repaid first; what is left is paid out to your bank, with a status of its own.'
        : 'The transaction is complete. Nothing is held any more.',
  }
}

/** Each part of the money that has left the hold, to the cent. */
function partsOf({ amount, buyer, seller }: Words, { money }: MoneyLineDeal, goes: 'goes' | 'went'): string {
  const toSeller = `${amount(money.released)} released to ${seller}`
  const toBuyer = `${amount(money.refunded)} ${goes} back to ${buyer}`
  const toBank = `${amount(money.chargedBack)} taken back by ${buyer === 'you' ? 'your' : `${buyer}’s`} bank`
  const parts = [
    ...(isZero(money.released) ? [] : [toSeller]),
    ...(isZero(money.refunded) ? [] : [toBuyer]),
    ...(isZero(money.chargedBack) ? [] : [toBank]),
  ]
  return parts.join(', ') || toSeller
}
