/**
 * The life of a dispute as a table: each step, who may take it, from which stages, to which stages it leads, and what it does to the
 * money of the deal. `decisions.ts` applies it.
 */
import type { DisputeClock } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { STAGES, type Stage } from './stages.js'

/** Who takes steps: the parties, a mediator, a time limit, the carrier of a return, and escrow-svc. */
export const ACTORS = ['buyer', 'seller', 'mediator', 'clock', 'carrier', 'escrow'] as const
export type ActorRole = (typeof ACTORS)[number]

export const CASE_COMMANDS = [
  'open',
  'refuse',
  'answer',
  'endResponse',
  'investigate',
  'addEvidence',
  'propose',
  'declineProposal',
  'agree',
  'withdraw',
  'rule',
  'waiveAppeal',
  'endAppeal',
  'appeal',
  'ruleAgain',
  'takeAgain',
  'askForRuling',
  'approveRuling',
  'rejectRuling',
  'shipReturn',
  'endReturnShipping',
  'recordReturnDelivery',
  'endReturnArrival',
  'confirmReturn',
  'endReturnCheck',
  'contestReturn',
  'settle',
  'putBack',
  'reopen',
  'end',
] as const
export type CaseCommandType = (typeof CASE_COMMANDS)[number]

export interface Step {
  readonly command: CaseCommandType
  readonly by: readonly ActorRole[]
  readonly from: readonly Stage[]
  /** The stages it may lead to. With more than one, `decisions.ts` chooses. */
  readonly to: readonly Stage[] | 'the same'
  /** What it does to the deal's money at escrow. */
  readonly money: 'nothing' | 'stops' | 'is split' | 'goes on'
  /** Whether it may be taken while the buyer's bank decides about a chargeback. Escrow moves no money until then. */
  readonly whileBankDecides: 'allowed' | 'refused'
  /** The time limits that it ends although the stage in which they run may stay. */
  readonly ends?: readonly DisputeClock[]
}

const PARTIES = ['buyer', 'seller'] as const
/** The stages in which the case is not decided. */
const UNDECIDED = ['open', 'investigating', 'appealed', 'contested'] as const
/** The stages in which a mediator rules. */
const RULED_ON = ['investigating', 'appealed', 'contested'] as const
/** The stages in which the parties may still settle at any amount. */
const SETTLEABLE = [...UNDECIDED, 'resolved', 'returning', 'returned', 'checking'] as const

export const LIFE: readonly Step[] = [
  {
    command: 'open',
    by: ['escrow'],
    from: ['opening'],
    to: ['open'],
    money: 'stops',
    whileBankDecides: 'allowed',
  },
  {
    command: 'refuse',
    by: ['escrow'],
    from: ['opening'],
    to: ['closed'],
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  {
    command: 'answer',
    by: PARTIES,
    from: ['open', 'investigating'],
    to: ['investigating'],
    money: 'nothing',
    whileBankDecides: 'allowed',
    ends: ['response'],
  },
  {
    command: 'endResponse',
    by: ['clock'],
    from: ['open', 'investigating'],
    to: ['investigating'],
    money: 'nothing',
    whileBankDecides: 'allowed',
    ends: ['response'],
  },
  // The other party keeps the time that is left to answer: a mediator can rule only after that.
  {
    command: 'investigate',
    by: ['mediator'],
    from: ['open', 'investigating'],
    to: ['investigating'],
    money: 'nothing',
    whileBankDecides: 'allowed',
    ends: ['first_look'],
  },
  {
    command: 'addEvidence',
    by: PARTIES,
    from: UNDECIDED,
    to: 'the same',
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  { command: 'propose', by: PARTIES, from: SETTLEABLE, to: 'the same', money: 'nothing', whileBankDecides: 'refused' },
  {
    command: 'declineProposal',
    by: PARTIES,
    from: SETTLEABLE,
    to: 'the same',
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  { command: 'agree', by: PARTIES, from: SETTLEABLE, to: ['settling'], money: 'is split', whileBankDecides: 'refused' },
  {
    command: 'withdraw',
    by: PARTIES,
    from: ['open', 'investigating'],
    to: ['closed'],
    money: 'goes on',
    whileBankDecides: 'refused',
  },
  {
    command: 'rule',
    by: ['mediator'],
    from: ['investigating'],
    to: ['resolved'],
    money: 'nothing',
    whileBankDecides: 'refused',
  },
  {
    command: 'waiveAppeal',
    by: PARTIES,
    from: ['resolved'],
    to: ['resolved', 'returning', 'settling'],
    money: 'is split',
    whileBankDecides: 'refused',
  },
  {
    command: 'endAppeal',
    by: ['clock'],
    from: ['resolved'],
    to: ['returning', 'settling'],
    money: 'is split',
    whileBankDecides: 'refused',
  },
  {
    command: 'appeal',
    by: PARTIES,
    from: ['resolved'],
    to: ['appealed'],
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  {
    command: 'ruleAgain',
    by: ['mediator'],
    from: ['appealed', 'contested'],
    to: ['returning', 'settling'],
    money: 'is split',
    whileBankDecides: 'refused',
  },
  // A case that comes back is taken like a new one.
  {
    command: 'takeAgain',
    by: ['mediator'],
    from: ['appealed', 'contested'],
    to: 'the same',
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  // Above an amount a ruling is only asked for, until a second admin has approved it.
  {
    command: 'askForRuling',
    by: ['mediator'],
    from: RULED_ON,
    to: 'the same',
    money: 'nothing',
    whileBankDecides: 'refused',
  },
  {
    command: 'approveRuling',
    by: ['mediator'],
    from: RULED_ON,
    to: 'the same',
    money: 'nothing',
    whileBankDecides: 'refused',
  },
  {
    command: 'rejectRuling',
    by: ['mediator'],
    from: RULED_ON,
    to: 'the same',
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  // A corrected tracking number leaves the time limit as it is.
  {
    command: 'shipReturn',
    by: ['buyer'],
    from: ['returning', 'returned'],
    to: ['returned'],
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  {
    command: 'endReturnShipping',
    by: ['clock'],
    from: ['returning'],
    to: ['settling'],
    money: 'is split',
    whileBankDecides: 'refused',
  },
  {
    command: 'recordReturnDelivery',
    by: ['carrier'],
    from: ['returned'],
    to: ['checking'],
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  {
    command: 'endReturnArrival',
    by: ['clock'],
    from: ['returned'],
    to: ['contested'],
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  {
    command: 'confirmReturn',
    by: ['seller'],
    from: ['returning', 'returned', 'checking'],
    to: ['settling'],
    money: 'is split',
    whileBankDecides: 'refused',
  },
  {
    command: 'endReturnCheck',
    by: ['clock'],
    from: ['checking'],
    to: ['settling'],
    money: 'is split',
    whileBankDecides: 'refused',
  },
  {
    command: 'contestReturn',
    by: ['seller'],
    from: ['returned', 'checking'],
    to: ['contested'],
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  {
    command: 'settle',
    by: ['escrow'],
    from: ['settling'],
    to: ['closed'],
    money: 'is split',
    whileBankDecides: 'refused',
  },
  // Escrow has refused to post it: the case goes on where it was.
  {
    command: 'putBack',
    by: ['escrow'],
    from: ['settling'],
    to: SETTLEABLE,
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  // The deal holds another amount than at the ruling. No repetition of the call changes that, so a mediator decides again.
  {
    command: 'reopen',
    by: ['escrow'],
    from: ['settling'],
    to: ['contested'],
    money: 'nothing',
    whileBankDecides: 'allowed',
  },
  // Escrow has ended the dispute or the deal itself, such as by a refund of the seller.
  {
    command: 'end',
    by: ['escrow'],
    from: STAGES.filter(stage => stage !== 'closed'),
    to: ['closed'],
    money: 'goes on',
    whileBankDecides: 'refused',
  },
]

const BY_COMMAND = new Map(LIFE.map(step => [step.command, step]))

export function stepOf(command: CaseCommandType): Step {
  const step = BY_COMMAND.get(command)
  if (!step) throw new Error(`no step for ${command}`)
  return step
}

/**
 * Whether a step is refused because the buyer's bank decides about the deal of the dispute. `decide` refuses it, and nobody is offered
 * it. `withdraw`, `settle` and `end` do not pass through `decide`: escrow refuses what leads to them.
 */
export const isRefusedByBank = (
  { waitsForBank }: { readonly waitsForBank: boolean },
  command: CaseCommandType,
): boolean => waitsForBank && stepOf(command).whileBankDecides === 'refused'

/** Whether the table lets `role` take the step in this stage. */
export function mayTake(command: CaseCommandType, role: ActorRole, stage: Stage): boolean {
  const { by, from } = stepOf(command)
  return by.includes(role) && from.includes(stage)
}

/** @throws DomainError `FORBIDDEN` when the role may never take the step; `DISPUTE_WRONG_STATE` when it may not now */
export function assertMayTake(command: CaseCommandType, role: ActorRole, stage: Stage): void {
  if (!stepOf(command).by.includes(role)) throw new DomainError('FORBIDDEN')
  if (!mayTake(command, role, stage)) throw new DomainError('DISPUTE_WRONG_STATE')
}
