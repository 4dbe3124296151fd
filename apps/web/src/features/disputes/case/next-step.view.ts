import type { DisputeCase, Proposal, RulingRequest } from '@holdfast/contracts/disputes'
import type { DisputeClock } from '@holdfast/kernel/disputes'
import { displayAmount, isZero } from '@holdfast/kernel/money'
import type { TimeOptions } from '../../../lib/time.js'
import type { MoneyLineView } from '../../deal/shared/money-line/money-line.types.js'
import { mainClock, type TurnFacts, turnOf } from '../shared/turn.view.js'
import { waitingProposal } from './case.js'
import { does, nameOf, otherSide } from './people.js'
import { splitAt } from './split.view.js'

export type NextStep = Pick<MoneyLineView, 'waitsFor' | 'turn' | 'next'>

/** Whose turn it is in a dispute, until when, and what happens then. */
export function nextStep(dispute: DisputeCase, options: TimeOptions = {}): NextStep {
  if (dispute.status === 'closed') return ended(dispute)
  if (dispute.rulingRequest && dispute.turn === 'mediator') return waitingForApproval(dispute, dispute.rulingRequest)
  const { waitsFor, words: turn } = turnOf(turnFacts(dispute), options)
  return { waitsFor, turn, next: nextOf(dispute, options) }
}

/** A mediator has asked a second admin to approve a ruling. Only mediators read this. */
function waitingForApproval({ actions, mediator }: DisputeCase, { askedBy }: RulingRequest): NextStep {
  const next = 'Nothing is recorded yet, and the parties do not know of it. They can still settle.'
  if (askedBy === 'reader') return { waitsFor: 'other', turn: 'Your ruling waits for a second admin', next }
  const asker = mediator?.firstName ?? 'Another mediator'
  return actions.includes('decideRuling')
    ? { waitsFor: 'you', turn: `Your turn: approve or reject the ruling that ${asker} asks for`, next }
    : { waitsFor: 'other', turn: `A ruling of ${asker} waits for another admin`, next }
}

/** What the words of the turn depend on. */
const turnFacts = (dispute: DisputeCase): TurnFacts => ({
  ...dispute,
  hasProposal: waitingProposal(dispute) !== undefined,
  mayRule: dispute.actions.includes('rule'),
  otherMediator: dispute.takenBy === 'other' ? dispute.mediator?.firstName : undefined,
})

function nextOf(dispute: DisputeCase, options: TimeOptions): string {
  if (dispute.turn === 'bank')
    return `The bank disputes the payment and decides within some weeks. Until then the money stays held, no time limit runs, and nothing can be settled or ruled on.${meanwhileOfBank(dispute)}`
  const clock = mainClock(dispute)
  if (!clock || dispute.turn === 'none') return 'It takes a moment. There is nothing to do meanwhile.'
  const next = NEXT[clock.kind](wordsOf(dispute, clock), dispute)
  return waitingProposal(dispute) ? withProposal(dispute, next, options) : next
}

/** What the reader can do while the bank decides. An operator gives the file of the case to the payment provider. */
function meanwhileOfBank({ actions }: DisputeCase): string {
  if (actions.includes('appeal')) return ' You can appeal now. The time to appeal goes on when the bank has decided.'
  if (actions.includes('shipReturn'))
    return ' You can send the item back now, or wait: the time for it goes on when the bank has decided.'
  if (actions.includes('addEvidence')) return ' Say under Evidence what happened: Holdfast can pass it on to the bank.'
  return actions.includes('investigate') ? ' You can already take the case and write notes for both parties.' : ''
}

/** The next step of a reader for whom a proposal waits. A time limit of their own stays the first thing that they read. */
function withProposal(dispute: DisputeCase, next: string, options: TimeOptions): string {
  const own = turnOf({ ...turnFacts(dispute), hasProposal: false }, options)
  if (own.waitsFor !== 'you' && isTooHigh(dispute, waitingProposal(dispute)))
    return `It is more than what is held now, so it cannot be accepted. Decline it, or propose another amount. ${own.words}.`
  if (own.waitsFor !== 'you')
    return `Accept it, decline it, or propose another amount. Until both of you agree, the case goes on. ${own.words}.`
  const other = otherSide(dispute.viewerRole)
  return `${other ? dispute[other].firstName : 'The other side'} proposes a settlement, see below. ${next}`
}

/** Whether a proposal gives the buyer more than the deal holds now, because a part of the payment has left it since. */
export const isTooHigh = ({ settlement }: DisputeCase, proposal: Proposal | undefined): boolean =>
  proposal !== undefined && settlement !== null && splitAt(settlement, proposal.refundAmount) === null

interface Words {
  readonly isLate: boolean
  readonly isMediator: boolean
  /** Whether the time limit is the reader’s own, alone or with the other side. */
  readonly isOwn: boolean
  /** "Ana", for a party. */
  readonly other: string
  /** What the buyer gets when everything goes back, and what the seller gets when nothing does: " of $107.00" or empty. */
  readonly full: string
  readonly released: string
}

function wordsOf(dispute: DisputeCase, { isEscalated, turn }: ReturnType<typeof mainClock> & {}): Words {
  const { viewerRole, settlement } = dispute
  const other = otherSide(viewerRole)
  const amount = (text: string | undefined) => (text ? ` of ${displayAmount(text, dispute.currency)}` : '')
  return {
    isLate: isEscalated,
    isMediator: viewerRole === 'mediator',
    isOwn: turn === viewerRole || (turn === 'both' && viewerRole !== 'mediator'),
    other: other ? dispute[other].firstName : 'the parties',
    full: amount(settlement?.held),
    released: settlement
      ? ` ${displayAmount(splitAt(settlement, '0')?.sellerNet ?? '0', dispute.currency)}`
      : ' the money',
  }
}

/** What is always true while a case is undecided. */
const meanwhile = ({ isMediator, other }: Words): string =>
  isMediator
    ? 'The parties can still settle.'
    : `Meanwhile you can add evidence, or settle with ${other} at any amount. The money stays held.`

const GOES_ON = 'After that time the case goes on without an answer.'

/** What comes next while each time limit runs. `turnOf` says whose turn it is. */
const NEXT: Record<DisputeClock, (words: Words, dispute: DisputeCase) => string> = {
  response: (words, { clocks }) => {
    if (words.isMediator) return 'You can rule after that time, also without an answer.'
    if (!words.isOwn) return `${GOES_ON} ${meanwhile(words)}`
    return clocks.some(({ kind, turn }) => kind === 'response' && turn === 'both')
      ? `Add what you know under Evidence, or propose a settlement. ${GOES_ON} The money stays held.`
      : `Say under Evidence what happened, and add pictures. You can also propose a settlement. ${GOES_ON}`
  },
  first_look: (words, dispute) => {
    if (words.isMediator) return 'Both parties are then notified that a mediator looks at it.'
    return words.isLate ? `${LATE} ${meanwhile(words)}` : `${systemWays(dispute)}${meanwhile(words)}`
  },
  ruling: (words, dispute) => {
    if (words.isMediator)
      return `${dispute.takenBy === 'other' ? 'You can take the case over at the end of this page. ' : ''}${meanwhile(words)}`
    if (words.isLate) return `${LATE} ${meanwhile(words)}`
    return `${dispute.takenBy ? 'A mediator has taken the case. ' : ''}${systemWays(dispute)}${meanwhile(words)}`
  },
  appeal: words => {
    if (words.isMediator) return 'Either party can appeal until then. Another mediator then decides.'
    return words.isOwn
      ? 'Then the ruling is final and is carried out. When both of you give up the right to appeal, that happens at once.'
      : `You have given up your right to appeal. When ${words.other} does too, the ruling is carried out at once.`
  },
  second_ruling: (words, dispute) => {
    // A ruling that the deal could not pay any more goes to a mediator again, without an appeal.
    const isReopened = !dispute.appeal && dispute.history.some(({ step }) => step === 'not_carried_out')
    const about = dispute.return
      ? 'the return'
      : isReopened
        ? 'the ruling, because the payment has changed'
        : 'the appeal'
    if (words.isMediator)
      return dispute.actions.includes('rule')
        ? `It is about ${about}. This decision is final.`
        : 'You ruled first, so you cannot decide about the appeal.'
    const who = dispute.return || isReopened ? 'A' : 'Another'
    return `${words.isLate ? `${LATE} ` : ''}${who} mediator decides about ${about}. That decision is final. ${meanwhile(words)}`
  },
  return_shipping: (words, dispute) =>
    `When the item is back, ${does('buyer', dispute, 'get', 'gets')} a full refund${words.full}. If nothing is shipped by then,${words.released} goes to ${nameOf('seller', dispute)}.`,
  return_arrival: (words, dispute) =>
    `When it has arrived, ${does('seller', dispute, 'check', 'checks')} it. Then ${does('buyer', dispute, 'get', 'gets')} a full refund${words.full}. If it has not arrived by then, a mediator decides.`,
  return_check: (words, dispute) => {
    const then = `Otherwise ${does('buyer', dispute, 'get', 'gets')} a full refund${words.full}.`
    return dispute.viewerRole === 'seller'
      ? `If something is wrong with it, contest it by then. ${then}`
      : `The carrier says that it arrived. ${dispute.seller.firstName} can contest what came back. ${then}`
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

/** How a closed dispute ended. It stays true whatever happens to the deal afterwards. */
function ended(dispute: DisputeCase): NextStep {
  return { waitsFor: 'over', turn: endOf(dispute), next: dispute.resolution ?? 'Nothing is left to do here.' }
}

function endOf({ endedBy, proposals, history, ...dispute }: DisputeCase): string {
  switch (endedBy) {
    case 'settlement': {
      const accepted = proposals.find(({ state }) => state === 'accepted')
      if (!accepted) return 'Settled between the parties'
      const back = isZero(accepted.refundAmount) ? 'none' : displayAmount(accepted.refundAmount, dispute.currency)
      return `Settled: ${back} of the price that was held goes back to ${nameOf('buyer', dispute)}`
    }
    case 'withdrawal':
      return 'Withdrawn: the transaction went on'
    case 'ruling':
      return history.some(({ step }) => step === 'return_not_shipped')
        ? 'Closed: the item was not sent back in time'
        : 'Closed: the ruling was carried out'
    case 'return':
      return 'Closed: the item came back'
    case 'transaction':
    case null:
      return 'This dispute is closed'
  }
}
