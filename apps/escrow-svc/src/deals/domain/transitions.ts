/**
 * The state machine of a deal as a table: each command, who may give it, from which states, and to which states it
 * leads. What a command does to money and clocks is in `decisions.ts`.
 */

import { DEAL_STATUSES, type DealStatus } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { reachable } from '@holdfast/kernel/reachable'

/** Who gives commands: the two parties, the deal's clock, the payment provider, the carrier, dispute-svc (mediation), and an operator. */
export const ROLES = ['buyer', 'seller', 'clock', 'provider', 'carrier', 'mediation', 'operator'] as const
export type Role = (typeof ROLES)[number]

export const COMMAND_TYPES = [
  'secureFunds',
  'returnFunds',
  'recordFunds',
  'cancel',
  'endPaymentWindow',
  'saveTracking',
  'startHandover',
  'endShipBy',
  'endReceiveBy',
  'recordDelivery',
  'confirmDelivery',
  'accept',
  'endInspection',
  'refund',
  'forceRefund',
  'freeze',
  'resume',
  'settleDispute',
  'openChargeback',
  'winChargeback',
  'loseChargeback',
  'recordRefund',
] as const
export type CommandType = (typeof COMMAND_TYPES)[number]

/**
 * The states of the table: the statuses, and three states of disputed deals, from which other steps lead on than from a
 * party's dispute.
 * - `overdue`: the system filed the dispute, because the item did not arrive in time.
 * - `charged_back`: the buyer's bank has taken the payment or asks about it, and has not decided.
 * - `short`: a part of the payment is gone, so the deal cannot pay what was agreed.
 */
export const STATES = [...DEAL_STATUSES, 'overdue', 'charged_back', 'short'] as const
export type State = (typeof STATES)[number]

export interface Transition {
  readonly command: CommandType
  readonly by: readonly Role[]
  readonly from: readonly State[]
  /** The states it may lead to. With more than one, `decisions.ts` chooses. */
  readonly to: readonly State[]
  /** Set when it is refused until the seller has accepted the deal. */
  readonly needsSellerAccepted?: true
}

/** The statuses in which the buyer's money is held and there is no dispute. A `disputed` deal holds money, too. */
const FUNDED = ['paid', 'in_progress', 'shipped', 'delivered', 'inspection'] as const

/** The states in which the buyer's money is held. */
const HOLDING = [...FUNDED, 'disputed', 'overdue', 'charged_back', 'short'] as const

export const TRANSITIONS: readonly Transition[] = [
  // A bank transfer has arrived, and the bank may still take it back. Until it is final the deal holds nothing: nothing can be
  // shipped, cancelled, refunded or disputed.
  { command: 'secureFunds', by: ['provider'], from: ['pending'], to: ['secured'] },
  { command: 'returnFunds', by: ['provider'], from: ['secured'], to: ['pending'] },
  { command: 'recordFunds', by: ['provider'], from: ['pending', 'secured'], to: ['paid'] },
  { command: 'cancel', by: ['buyer', 'seller'], from: ['pending'], to: ['cancelled'] },
  { command: 'endPaymentWindow', by: ['clock'], from: ['pending'], to: ['cancelled'] },
  { command: 'startHandover', by: ['seller'], from: ['paid'], to: ['in_progress'] },
  { command: 'saveTracking', by: ['seller'], from: ['paid', 'in_progress', 'shipped'], to: ['shipped'] },
  // A dispute that the seller files does not stop their ship-by clock, so the buyer gets the money back although the deal is disputed.
  { command: 'endShipBy', by: ['clock'], from: ['paid', 'disputed', 'short'], to: ['cancelled'] },
  // When no delivery is reported, the money is never released: the system files a dispute.
  { command: 'endReceiveBy', by: ['clock'], from: ['in_progress', 'shipped'], to: ['overdue'] },
  // The deal passes through `delivered`: the inspection begins in the same write.
  { command: 'recordDelivery', by: ['carrier'], from: ['shipped', 'overdue'], to: ['inspection'] },
  // A deal without inspection completes as soon as its buyer confirms the delivery. What a buyer does alone completes no deal: they may
  // have named anybody as the seller. Until the seller accepts, the ship-by date runs, and then the buyer has the money back.
  {
    command: 'confirmDelivery',
    by: ['buyer'],
    from: ['paid', 'in_progress', 'shipped', 'overdue'],
    to: ['inspection', 'completed'],
    needsSellerAccepted: true,
  },
  { command: 'accept', by: ['buyer'], from: ['delivered', 'inspection'], to: ['completed'], needsSellerAccepted: true },
  { command: 'endInspection', by: ['clock'], from: ['inspection'], to: ['completed'] },
  { command: 'refund', by: ['seller'], from: [...FUNDED, 'overdue', 'short'], to: ['cancelled'] },
  // Not while a bank decides: it may pay the buyer as well.
  {
    command: 'forceRefund',
    by: ['operator'],
    from: [...FUNDED, 'disputed', 'overdue', 'short'],
    to: ['cancelled'],
  },
  { command: 'freeze', by: ['mediation'], from: FUNDED, to: ['disputed'] },
  // Back to the status in which the dispute stopped it.
  { command: 'resume', by: ['mediation'], from: ['disputed'], to: FUNDED },
  // The parties agree, a mediator rules, or the item comes back. The buyer gets everything, or the seller gets the rest.
  {
    command: 'settleDispute',
    by: ['mediation'],
    from: ['disputed', 'overdue', 'short'],
    to: ['completed', 'cancelled'],
  },
  // The provider's messages come in any order: the first one about a chargeback may say that it is lost. On a deal that holds
  // no money these messages are only booked.
  { command: 'openChargeback', by: ['provider'], from: HOLDING, to: ['charged_back'] },
  { command: 'winChargeback', by: ['provider'], from: HOLDING, to: HOLDING },
  { command: 'loseChargeback', by: ['provider'], from: HOLDING, to: ['cancelled', 'short', 'charged_back'] },
  // A refund that an operator made at the provider. When it fails, the deal may go on.
  { command: 'recordRefund', by: ['provider'], from: HOLDING, to: ['cancelled', ...HOLDING] },
]

/** Statuses that a deal enters and leaves in the same write. They appear in the timeline, never on the deal's row. */
const PASSED_THROUGH = ['delivered', 'released'] as const satisfies readonly DealStatus[]

const BY_COMMAND = new Map(TRANSITIONS.map(transition => [transition.command, transition]))

export function transitionOf(command: CommandType): Transition {
  const transition = BY_COMMAND.get(command)
  if (!transition) throw new Error(`no transition for ${command}`)
  return transition
}

/** Whether the table lets `role` give `command` in `state`. */
export function isAllowed(command: CommandType, role: Role, state: State): boolean {
  const { by, from } = transitionOf(command)
  return by.includes(role) && from.includes(state)
}

/** Whether a command waits until the seller has accepted the deal. */
export const needsSellerAccepted = (command: CommandType): boolean => transitionOf(command).needsSellerAccepted === true

/** The states in which a user reads that the payment provider stopped the deal. */
const STOPPED_BY_PROVIDER: ReadonlySet<State> = new Set(['charged_back', 'short'])

/**
 * Refuses a step that the table does not have.
 *
 * @throws DomainError `FORBIDDEN` when the role may never give this command; `ESCROW_WRONG_STATE` or
 * `ESCROW_STOPPED_BY_PROVIDER` with `from`, `to` and the commands that are `allowed` to this role now, when the command does
 * not start in this state
 */
export function assertAllowed(command: CommandType, role: Role, state: State): void {
  const { by, from, to } = transitionOf(command)
  if (!by.includes(role)) throw new DomainError('FORBIDDEN', { command, role })
  if (!from.includes(state)) {
    const allowed = TRANSITIONS.filter(({ by, from }) => by.includes(role) && from.includes(state)).map(
      each => each.command,
    )
    const code = STOPPED_BY_PROVIDER.has(state) ? 'ESCROW_STOPPED_BY_PROVIDER' : 'ESCROW_WRONG_STATE'
    throw new DomainError(code, { from: statusIn(state), to: statusIn(to[0]), allowed })
  }
}

/**
 * Checks the table: each command appears once, every state is known, every state is reachable from `pending` (or listed
 * as passed through), and every deal can end. Called at boot, so that a service with a wrong table never starts.
 *
 * @throws Error that names every problem
 */
export function checkTransitions(table: readonly Transition[] = TRANSITIONS): void {
  const problems: string[] = []
  const known = new Set<string>(STATES)
  const commands = table.map(({ command }) => command)
  for (const command of COMMAND_TYPES) {
    const count = commands.filter(c => c === command).length
    if (count !== 1) problems.push(`${command} appears ${count} times`)
  }
  for (const { command, from, to } of table)
    for (const state of [...from, ...to]) if (!known.has(state)) problems.push(`${command}: unknown ${state}`)

  const reached = reachable(table, 'pending')
  const exempt = new Set<string>(PASSED_THROUGH)
  for (const state of STATES) if (!reached.has(state) && !exempt.has(state)) problems.push(`${state} cannot be reached`)
  for (const state of reached) {
    const ends = reachable(table, state)
    if (!ends.has('completed') && !ends.has('cancelled')) problems.push(`${state} leads to no end`)
  }
  if (problems.length) throw new Error(`transition table: ${problems.join('; ')}`)
}

/** The status of a deal in a state, as users know it. */
const statusIn = (state: State | undefined) => DEAL_STATUSES.find(status => status === state) ?? 'disputed'
