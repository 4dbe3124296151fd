/**
 * The life of a dispute as a table: each step, who may take it, from which stages, to which stages it leads, and what it does to the
 * money of the deal; and the time limits of each stage. `decisions.ts` applies it.
 */
import type { DisputeClock, DisputeStatus } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { type Move, reachable } from '@holdfast/kernel/reachable'

/**
 * The stages of a dispute.
 * - `opening`: filed; escrow has not yet stopped the deal
 * - `open`: the other party may answer
 * - `investigating`: a mediator looks at the case
 * - `resolved`: a mediator has ruled; either party may appeal
 * - `appealed`: another mediator decides about the appeal
 * - `returning`: the buyer is to ship the item back; `returned`: it is on its way; `checking`: it arrived, the seller may contest it
 * - `contested`: a mediator decides about what came back, or again because the deal holds another amount than at the ruling
 * - `settling`: what was decided is posted at escrow
 */
export const STAGES = [
  'opening',
  'open',
  'investigating',
  'resolved',
  'appealed',
  'returning',
  'returned',
  'checking',
  'contested',
  'settling',
  'closed',
] as const
export type Stage = (typeof STAGES)[number]

/** The status that users see in each stage. `settling` keeps the status of the stage before. */
export const STATUS_IN: Readonly<Record<Exclude<Stage, 'settling'>, DisputeStatus>> = {
  opening: 'open',
  open: 'open',
  investigating: 'investigating',
  resolved: 'resolved',
  appealed: 'investigating',
  returning: 'resolved',
  returned: 'resolved',
  checking: 'resolved',
  contested: 'investigating',
  closed: 'closed',
}

/** The time limits of each stage. Entering a stage starts some, keeps some that run already, and ends all others. */
export const CLOCKS_IN: Readonly<
  Record<
    Exclude<Stage, 'settling'>,
    { readonly starts: readonly DisputeClock[]; readonly keeps?: readonly DisputeClock[] }
  >
> = {
  opening: { starts: [] },
  open: { starts: ['response', 'first_look', 'ruling'] },
  investigating: { starts: [], keeps: ['response', 'first_look', 'ruling'] },
  resolved: { starts: ['appeal'] },
  appealed: { starts: ['second_ruling'] },
  returning: { starts: ['return_shipping'] },
  returned: { starts: ['return_arrival'] },
  checking: { starts: ['return_check'] },
  contested: { starts: ['second_ruling'] },
  closed: { starts: [] },
}

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
  /** The time limits that it ends although the stage in which they run may stay. */
  readonly ends?: readonly DisputeClock[]
}

const PARTIES = ['buyer', 'seller'] as const
/** The stages in which the case is not decided. */
const UNDECIDED = ['open', 'investigating', 'appealed', 'contested'] as const
/** The stages in which the parties may still settle at any amount. */
const SETTLEABLE = [...UNDECIDED, 'resolved', 'returning', 'returned', 'checking'] as const

export const LIFE: readonly Step[] = [
  {
    command: 'open',
    by: ['escrow'],
    from: ['opening'],
    to: ['open'],
    money: 'stops',
  },
  { command: 'refuse', by: ['escrow'], from: ['opening'], to: ['closed'], money: 'nothing' },
  {
    command: 'answer',
    by: PARTIES,
    from: ['open', 'investigating'],
    to: ['investigating'],
    money: 'nothing',
    ends: ['response'],
  },
  {
    command: 'endResponse',
    by: ['clock'],
    from: ['open', 'investigating'],
    to: ['investigating'],
    money: 'nothing',
    ends: ['response'],
  },
  // The other party keeps the time that is left to answer: a mediator can rule only after that.
  {
    command: 'investigate',
    by: ['mediator'],
    from: ['open', 'investigating'],
    to: ['investigating'],
    money: 'nothing',
    ends: ['first_look'],
  },
  { command: 'addEvidence', by: PARTIES, from: UNDECIDED, to: 'the same', money: 'nothing' },
  { command: 'propose', by: PARTIES, from: SETTLEABLE, to: 'the same', money: 'nothing' },
  { command: 'declineProposal', by: PARTIES, from: SETTLEABLE, to: 'the same', money: 'nothing' },
  { command: 'agree', by: PARTIES, from: SETTLEABLE, to: ['settling'], money: 'is split' },
  {
    command: 'withdraw',
    by: PARTIES,
    from: ['open', 'investigating'],
    to: ['closed'],
    money: 'goes on',
  },
  {
    command: 'rule',
    by: ['mediator'],
    from: ['investigating'],
    to: ['resolved'],
    money: 'nothing',
  },
  {
    command: 'waiveAppeal',
    by: PARTIES,
    from: ['resolved'],
    to: ['resolved', 'returning', 'settling'],
    money: 'is split',
  },
  {
    command: 'endAppeal',
    by: ['clock'],
    from: ['resolved'],
    to: ['returning', 'settling'],
    money: 'is split',
  },
  {
    command: 'appeal',
    by: PARTIES,
    from: ['resolved'],
    to: ['appealed'],
    money: 'nothing',
  },
  {
    command: 'ruleAgain',
    by: ['mediator'],
    from: ['appealed', 'contested'],
    to: ['returning', 'settling'],
    money: 'is split',
  },
  // A corrected tracking number leaves the time limit as it is.
  { command: 'shipReturn', by: ['buyer'], from: ['returning', 'returned'], to: ['returned'], money: 'nothing' },
  { command: 'endReturnShipping', by: ['clock'], from: ['returning'], to: ['settling'], money: 'is split' },
  {
    command: 'recordReturnDelivery',
    by: ['carrier'],
    from: ['returned'],
    to: ['checking'],
    money: 'nothing',
  },
  {
    command: 'endReturnArrival',
    by: ['clock'],
    from: ['returned'],
    to: ['contested'],
    money: 'nothing',
  },
  {
    command: 'confirmReturn',
    by: ['seller'],
    from: ['returning', 'returned', 'checking'],
    to: ['settling'],
    money: 'is split',
  },
  { command: 'endReturnCheck', by: ['clock'], from: ['checking'], to: ['settling'], money: 'is split' },
  {
    command: 'contestReturn',
    by: ['seller'],
    from: ['returned', 'checking'],
    to: ['contested'],
    money: 'nothing',
  },
  { command: 'settle', by: ['escrow'], from: ['settling'], to: ['closed'], money: 'is split' },
  // Escrow has refused to post it: the case goes on where it was.
  { command: 'putBack', by: ['escrow'], from: ['settling'], to: SETTLEABLE, money: 'nothing' },
  // The deal holds another amount than at the ruling. No repetition of the call changes that, so a mediator decides again.
  { command: 'reopen', by: ['escrow'], from: ['settling'], to: ['contested'], money: 'nothing' },
  // Escrow has ended the dispute or the deal itself, such as by a refund of the seller.
  {
    command: 'end',
    by: ['escrow'],
    from: STAGES.filter(stage => stage !== 'closed'),
    to: ['closed'],
    money: 'goes on',
  },
]

const BY_COMMAND = new Map(LIFE.map(step => [step.command, step]))

export function stepOf(command: CaseCommandType): Step {
  const step = BY_COMMAND.get(command)
  if (!step) throw new Error(`no step for ${command}`)
  return step
}

/**
 * Whether a step decides what becomes of the money, or offers to. While the buyer's bank decides about a chargeback, escrow moves no
 * money, so these steps are refused.
 */
export function waitsForBank(command: CaseCommandType): boolean {
  const { money } = stepOf(command)
  return money === 'is split' || money === 'goes on' || command === 'propose' || command === 'rule'
}

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

/**
 * Checks the table: each step appears once, every stage is reachable, and every dispute can end although neither party does
 * anything: by time limits, mediators and escrow. Called at boot, so that a service with a wrong table never starts.
 *
 * @throws Error that names every problem
 */
export function checkLife(life: readonly Step[] = LIFE): void {
  const problems: string[] = []
  for (const command of CASE_COMMANDS) {
    const count = life.filter(step => step.command === command).length
    if (count !== 1) problems.push(`${command} appears ${count} times`)
  }
  // `putBack` only returns to a stage that was reached before. `end` does not count below, because escrow may never end a dispute.
  const forward = life.filter(({ command }) => command !== 'putBack')
  const reached = reachable(moves(forward), 'opening')
  for (const stage of STAGES) if (!reached.has(stage)) problems.push(`${stage} cannot be reached`)
  const withoutParties = forward.filter(({ by, command }) => by.some(role => !isParty(role)) && command !== 'end')
  for (const stage of STAGES)
    if (!reachable(moves(withoutParties), stage).has('closed')) problems.push(`${stage} cannot end without the parties`)
  if (problems.length) throw new Error(`life of a dispute: ${problems.join('; ')}`)
}

const isParty = (role: ActorRole): boolean => role === 'buyer' || role === 'seller'

const moves = (life: readonly Step[]): Move<Stage>[] =>
  life.map(({ from, to }) => ({ from, to: to === 'the same' ? [] : to }))
