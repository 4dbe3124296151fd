import type { DisputeCase } from '@holdfast/contracts/disputes'
import type { DisputeClock } from '@holdfast/kernel/disputes'
import { displayAmount } from '@holdfast/kernel/money'
import { formatDateTime, type TimeOptions } from '../../../lib/time.js'
import type { MoneyLineView } from '../../deal/shared/money-line/money-line.view.js'
import { waitingProposal } from './case.js'
import { does, nameOf, otherSide } from './people.js'
import { splitAt } from './split.view.js'

export type NextStep = Pick<MoneyLineView, 'waitsFor' | 'turn' | 'next'>
type RunningClock = DisputeCase['clocks'][number]

/** Whose turn it is in a dispute, until when, and what happens then. */
export function nextStep(dispute: DisputeCase, options: TimeOptions = {}): NextStep {
  if (dispute.status === 'closed') return ended(dispute)
  if (dispute.settlement?.waitsForBank) return WAITS_FOR_BANK
  const clock = mainClock(dispute)
  if (!clock || dispute.turn === 'none') return BEING_CARRIED_OUT
  const step = SENTENCES[clock.kind](wordsOf(dispute, clock, options), dispute)
  return waitingProposal(dispute) ? answerTo(dispute, step) : step
}

/** The next step of a reader for whom a proposal waits. A time limit of their own stays the first thing that they read. */
function answerTo(dispute: DisputeCase, { waitsFor, turn, next }: NextStep): NextStep {
  const other = otherSide(dispute.viewerRole)
  const whose = other ? dispute[other].firstName : 'the other side'
  if (waitsFor === 'you') return { waitsFor, turn, next: `${whose} proposes a settlement, see below. ${next}` }
  return {
    waitsFor: 'you',
    turn: `Your turn: answer ${whose}’s proposal`,
    next: `Accept it, decline it, or propose another amount. Until both of you agree, the case goes on. ${turn}.`,
  }
}

/** The time limit that matters to the reader: one of their own, else the one of whose turn it is, else the first to end. */
function mainClock({ clocks, turn, viewerRole }: DisputeCase): RunningClock | undefined {
  const isOwn = (clock: RunningClock) => clock.turn === viewerRole
  return clocks.find(isOwn) ?? clocks.find(clock => clock.turn === turn) ?? clocks[0]
}

const WAITS_FOR_BANK: NextStep = {
  waitsFor: 'none',
  turn: 'On hold: the buyer’s bank decides',
  next: 'The bank disputes the payment and decides within some weeks. Until then nothing can be settled, and the money is not released.',
}

const BEING_CARRIED_OUT: NextStep = {
  waitsFor: 'none',
  turn: 'What was decided is being carried out',
  next: 'The money moves in a moment. There is nothing left to do here.',
}

interface Words {
  /** "Wed, Nov 25, 2:00 PM" */
  readonly at: string
  readonly isLate: boolean
  readonly isMediator: boolean
  /** "Ana", for a party. */
  readonly other: string
  readonly answering: string
  /** What the buyer gets when everything goes back, and what the seller gets when nothing does: ", $107.00" or empty. */
  readonly full: string
  readonly released: string
}

function wordsOf(dispute: DisputeCase, { dueAt, isEscalated }: RunningClock, options: TimeOptions): Words {
  const other = otherSide(dispute.viewerRole)
  const amount = (text: string | undefined) => (text ? ` of ${displayAmount(text, dispute.currency)}` : '')
  const { settlement } = dispute
  return {
    at: formatDateTime(new Date(dueAt), options),
    isLate: isEscalated,
    isMediator: dispute.viewerRole === 'mediator',
    other: other ? dispute[other].firstName : 'the parties',
    answering: answeringOf(dispute),
    full: amount(settlement?.held),
    released: settlement
      ? ` ${displayAmount(splitAt(settlement, '0')?.sellerNet ?? '0', dispute.currency)}`
      : ' the money',
  }
}

const answeringOf = (dispute: DisputeCase): string => {
  const { clocks } = dispute
  const turn = clocks.find(({ kind }) => kind === 'response')?.turn
  return turn === 'buyer' || turn === 'seller' ? dispute[turn].firstName : 'Both parties'
}

/** What is always true while a case is undecided. */
const meanwhile = ({ isMediator, other }: Words): string =>
  isMediator
    ? 'The parties can still settle.'
    : `Meanwhile you can add evidence, or settle with ${other} at any amount. The money stays held.`

const SENTENCES: Record<DisputeClock, (words: Words, dispute: DisputeCase) => NextStep> = {
  response: (words, { clocks, viewerRole }) => {
    const turn = clocks.find(({ kind }) => kind === 'response')?.turn
    const goesOn = 'Then the case goes on without an answer.'
    if (turn === viewerRole)
      return {
        waitsFor: 'you',
        turn: `Your turn: answer by ${words.at}`,
        next: `Say under Evidence what happened, and add pictures. You can also propose a settlement. ${goesOn}`,
      }
    if (turn === 'both' && !words.isMediator)
      return {
        waitsFor: 'you',
        turn: `You and ${words.other} have until ${words.at} to say what happened`,
        next: `Add what you know under Evidence, or propose a settlement. ${goesOn} The money stays held.`,
      }
    return {
      waitsFor: 'other',
      turn: `${words.answering} ${turn === 'both' ? 'have' : 'has'} until ${words.at} to answer`,
      next: words.isMediator ? `You can rule after that. ${goesOn}` : `${goesOn} ${meanwhile(words)}`,
    }
  },
  first_look: (words, dispute) => {
    if (words.isMediator)
      return {
        waitsFor: 'you',
        turn: words.isLate
          ? `Late: a mediator should have taken this case by ${words.at}`
          : `Your turn: take the case by ${words.at}`,
        next: 'Both parties are then notified that a mediator looks at it.',
      }
    return {
      waitsFor: 'mediator',
      turn: words.isLate
        ? `A mediator’s first look is late. It was due ${words.at}`
        : `A mediator looks at it by ${words.at}`,
      next: words.isLate ? `${LATE} ${meanwhile(words)}` : `${systemWays(dispute)}${meanwhile(words)}`,
    }
  },
  ruling: (words, dispute) => {
    if (words.isMediator)
      return {
        waitsFor: 'you',
        turn: words.isLate ? `Late: a ruling was due ${words.at}` : `Your turn: rule by ${words.at}`,
        next: meanwhile(words),
      }
    return {
      waitsFor: 'mediator',
      turn: words.isLate ? `The ruling is late. It was due ${words.at}` : `A mediator rules by ${words.at}`,
      next: words.isLate ? `${LATE} ${meanwhile(words)}` : `${systemWays(dispute)}${meanwhile(words)}`,
    }
  },
  appeal: (words, dispute) => {
    if (words.isMediator)
      return {
        waitsFor: 'none',
        turn: `The ruling is final on ${words.at}`,
        next: 'Either party can appeal until then. Another mediator then decides.',
      }
    if (!dispute.actions.includes('appeal'))
      return {
        waitsFor: 'other',
        turn: `The ruling is final on ${words.at}`,
        next: `You have given up your right to appeal. When ${words.other} does too, the ruling is carried out at once.`,
      }
    return {
      waitsFor: 'none',
      turn: `You can appeal until ${words.at}`,
      next: 'Then the ruling is final and is carried out. When both of you give up the right to appeal, that happens at once.',
    }
  },
  second_ruling: (words, dispute) => {
    // A ruling that the deal could not pay any more goes to a mediator again, without an appeal.
    const isReopened = !dispute.appeal && dispute.history.some(({ step }) => step === 'not_carried_out')
    const about = dispute.return ? 'about the return' : isReopened ? 'about the ruling' : 'about the appeal'
    if (words.isMediator)
      return dispute.actions.includes('rule')
        ? {
            waitsFor: 'you',
            turn: words.isLate
              ? `Late: the decision ${about} was due ${words.at}`
              : `Your turn: decide ${about} by ${words.at}`,
            next: 'This decision is final.',
          }
        : {
            waitsFor: 'mediator',
            turn: `Another mediator decides ${about} by ${words.at}`,
            next: 'You ruled first, so you cannot decide about the appeal.',
          }
    return {
      waitsFor: 'mediator',
      turn: words.isLate
        ? `The decision ${about} is late. It was due ${words.at}`
        : `${dispute.return || isReopened ? 'A' : 'Another'} mediator decides ${about} by ${words.at}`,
      next: `${words.isLate ? `${LATE} ` : ''}This decision is final. ${meanwhile(words)}`,
    }
  },
  return_shipping: (words, dispute) => {
    const otherwise = `If nothing is shipped by then,${words.released} goes to ${nameOf('seller', dispute)}.`
    const then = `When the item is back, ${does('buyer', dispute, 'get', 'gets')} a full refund${words.full}.`
    return dispute.viewerRole === 'buyer'
      ? { waitsFor: 'you', turn: `Your turn: send the item back by ${words.at}`, next: `${then} ${otherwise}` }
      : {
          waitsFor: 'other',
          turn: `${dispute.buyer.firstName} has until ${words.at} to send the item back`,
          next: `${then} ${otherwise}`,
        }
  },
  return_arrival: (words, dispute) => ({
    waitsFor: 'none',
    turn: `The item is on its way back and must arrive by ${words.at}`,
    next: `When it has arrived, ${does('seller', dispute, 'check', 'checks')} it. Then ${does('buyer', dispute, 'get', 'gets')} a full refund${words.full}. If it has not arrived by then, a mediator decides.`,
  }),
  return_check: (words, dispute) => {
    const then = `Otherwise ${does('buyer', dispute, 'get', 'gets')} a full refund${words.full}.`
    return dispute.viewerRole === 'seller'
      ? {
          waitsFor: 'you',
          turn: `Your turn: look at what came back by ${words.at}`,
          next: `If something is wrong with it, contest it by then. ${then}`,
        }
      : {
          waitsFor: 'other',
          turn: `${dispute.seller.firstName} has until ${words.at} to look at what came back`,
          next: `The carrier says that it arrived. ${dispute.seller.firstName} can contest what came back. ${then}`,
        }
  },
}

const LATE = 'The delay was reported to the people who run Holdfast. A delay never decides about the money.'

/** How the parties of a dispute that the system filed can end it themselves, on the page of the transaction. */
function systemWays(dispute: DisputeCase): string {
  if (dispute.reporterId !== null || dispute.reason === 'chargeback' || dispute.reason === 'provider_refund') return ''
  return dispute.viewerRole === 'buyer'
    ? 'If the item has arrived after all, confirm the delivery on the transaction’s page. '
    : 'If you do not want to wait, refund it on the transaction’s page. '
}

/** How a closed dispute ended. */
function ended(dispute: DisputeCase): NextStep {
  return { waitsFor: 'over', turn: endOf(dispute), next: dispute.resolution ?? 'Nothing is left to do here.' }
}

function endOf({ history, rulings, proposals, ...dispute }: DisputeCase): string {
  const amount = (text: string) => displayAmount(text, dispute.currency)
  const accepted = proposals.find(({ state }) => state === 'accepted')
  if (accepted) return `Settled: ${amount(accepted.refundAmount)} of the price goes back to ${nameOf('buyer', dispute)}`
  if (history.some(({ step }) => step === 'withdrawn')) return 'Withdrawn: the transaction goes on'
  if (rulings.some(({ isFinal }) => isFinal)) return 'Closed: the ruling was carried out'
  return 'This dispute is closed'
}
