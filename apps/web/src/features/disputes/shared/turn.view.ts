import type { DisputeCase, ListedDispute } from '@holdfast/contracts/disputes'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { DisputeClock } from '@holdfast/kernel/disputes'
import { formatDateTime, type TimeOptions } from '../../../lib/time.js'
import type { MoneyLineView } from '../../deal/shared/money-line/money-line.types.js'
import { type CasePeople, otherSide } from '../case/people.js'

/** Whose turn it is in a dispute, in words with the time limit. The page of the case, the list, the deal and the dashboard show it. */
export interface Turn {
  readonly waitsFor: MoneyLineView['waitsFor']
  readonly words: string
  /** When the time limit ends that the words name. */
  readonly dueAt: string | null
}

type RunningClock = ListedDispute['clocks'][number]

/** What the words depend on: a case, or a dispute of a list with what its deal says. */
export interface TurnFacts extends CasePeople, Pick<ListedDispute, 'turn' | 'clocks'> {
  /** Whether a proposal of the other side waits for the reader. */
  readonly hasProposal: boolean
  /** For a mediator: whether they may rule, and the first name of another one who has taken the case. */
  readonly mayRule?: boolean
  readonly otherMediator?: string | undefined
}

/** Whose turn it is in a dispute that runs, as its reader sees it. A time limit of their own comes before a proposal. */
export function turnOf(facts: TurnFacts, options: TimeOptions = {}): Turn {
  const { viewerRole, buyer, seller } = facts
  if (facts.turn === 'bank') {
    const whose = viewerRole === 'buyer' ? 'your' : viewerRole === 'seller' ? `${buyer.firstName}’s` : 'the buyer’s'
    return { waitsFor: 'none', words: `On hold: ${whose} bank decides`, dueAt: null }
  }
  const clock = mainClock(facts)
  if (!clock || facts.turn === 'none') return BEING_CARRIED_OUT
  const at = formatDateTime(new Date(clock.dueAt), options)
  const [waitsFor, words] = WORDS[clock.kind](facts, clock, at)
  if (facts.hasProposal && waitsFor !== 'you') {
    const other = viewerRole === 'buyer' ? seller : buyer
    return { waitsFor: 'you', words: `Your turn: answer ${other.firstName}’s proposal`, dueAt: clock.dueAt }
  }
  return { waitsFor, words, dueAt: clock.dueAt }
}

/** Whose turn it is in a dispute of a list. Its deal may know first that the buyer’s bank decides. */
export const turnWithDeal = (
  { turn }: Pick<ListedDispute, 'turn'>,
  deal: Pick<Transaction, 'waitsForBank'> | undefined,
): ListedDispute['turn'] => (deal?.waitsForBank ? 'bank' : turn)

/** The turn in words for a dispute in the list of one of its parties. */
export function turnInList(
  dispute: ListedDispute,
  deal: Pick<Transaction, 'viewerRole' | 'buyer' | 'seller' | 'waitsForBank'>,
  options: TimeOptions = {},
): Turn {
  const { viewerRole, buyer, seller } = deal
  const hasProposal = dispute.proposedTo === viewerRole
  return turnOf({ ...dispute, turn: turnWithDeal(dispute, deal), viewerRole, buyer, seller, hasProposal }, options)
}

/** The time limit that matters to the reader: one of their own, else the one of whose turn it is, else the first to end. */
export function mainClock({
  clocks,
  turn,
  viewerRole,
}: Pick<DisputeCase, 'clocks' | 'turn' | 'viewerRole'>): RunningClock | undefined {
  const isOwn = (clock: RunningClock) => clock.turn === viewerRole
  return clocks.find(isOwn) ?? clocks.find(clock => clock.turn === turn) ?? clocks[0]
}

const BEING_CARRIED_OUT: Turn = { waitsFor: 'none', words: 'The last step is being carried out', dueAt: null }

type Words = (facts: TurnFacts, clock: RunningClock, at: string) => readonly [Turn['waitsFor'], string]

const WORDS: Record<DisputeClock, Words> = {
  response: ({ viewerRole, buyer, seller }, { turn }, at) => {
    const other = otherSide(viewerRole)
    if (turn === viewerRole) return ['you', `Your turn: answer by ${at}`]
    if (turn === 'both')
      return other
        ? [
            'you',
            `You and ${other === 'buyer' ? buyer.firstName : seller.firstName} have until ${at} to say what happened`,
          ]
        : ['other', `Both parties have until ${at} to answer`]
    return ['other', `${turn === 'buyer' ? buyer.firstName : seller.firstName} has until ${at} to answer`]
  },
  first_look: ({ viewerRole }, { isEscalated }, at) => {
    if (viewerRole === 'mediator')
      return [
        'you',
        isEscalated ? `Late: a mediator should have taken this case by ${at}` : `Your turn: take the case by ${at}`,
      ]
    return [
      'mediator',
      isEscalated ? `A mediator’s first look is late. It was due ${at}` : `A mediator looks at it by ${at}`,
    ]
  },
  ruling: ({ viewerRole, otherMediator }, { isEscalated }, at) => {
    if (viewerRole !== 'mediator')
      return ['mediator', isEscalated ? `The ruling is late. It was due ${at}` : `A mediator rules by ${at}`]
    if (otherMediator)
      return [
        'other',
        isEscalated
          ? `Late: ${otherMediator} should have ruled by ${at}`
          : `${otherMediator} has taken the case and rules by ${at}`,
      ]
    return ['you', isEscalated ? `Late: a ruling was due ${at}` : `Your turn: rule by ${at}`]
  },
  appeal: ({ viewerRole }, { turn }, at) =>
    turn === viewerRole || (turn === 'both' && viewerRole !== 'mediator')
      ? ['none', `You can appeal until ${at}`]
      : [viewerRole === 'mediator' ? 'none' : 'other', `The ruling is final on ${at}`],
  second_ruling: ({ viewerRole, mayRule }, { isEscalated }, at) => {
    if (viewerRole === 'mediator' && mayRule)
      return [
        'you',
        isEscalated ? `Late: the final decision was due ${at}` : `Your turn: make the final decision by ${at}`,
      ]
    if (isEscalated) return ['mediator', `The final decision is late. It was due ${at}`]
    return ['mediator', `${viewerRole === 'mediator' ? 'Another' : 'A'} mediator makes the final decision by ${at}`]
  },
  return_shipping: ({ viewerRole, buyer }, _, at) =>
    viewerRole === 'buyer'
      ? ['you', `Your turn: send the item back by ${at}`]
      : ['other', `${buyer.firstName} has until ${at} to send the item back`],
  return_arrival: (_, __, at) => ['none', `The item is on its way back and must arrive by ${at}`],
  return_check: ({ viewerRole, seller }, _, at) =>
    viewerRole === 'seller'
      ? ['you', `Your turn: look at what came back by ${at}`]
      : ['other', `${seller.firstName} has until ${at} to look at what came back`],
}
