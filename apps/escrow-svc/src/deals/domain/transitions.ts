/**
 * The life of a deal as data. Whoever reads this table knows the escrow: which command moves a deal, who may give it,
 * from where, and where it leads. What a move does to money and clocks stands in `decisions.ts`.
 */

import { DEAL_STATUSES, type DealStatus } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'

/** Who moves a deal. The clock, the provider and the carrier are not people; mediation is dispute-svc. */
export const ROLES = ['buyer', 'seller', 'clock', 'provider', 'carrier', 'mediation'] as const
export type Role = (typeof ROLES)[number]

export const COMMAND_TYPES = [
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
  'freeze',
  'resume',
] as const
export type CommandType = (typeof COMMAND_TYPES)[number]

export interface Transition {
  readonly command: CommandType
  readonly by: readonly Role[]
  readonly from: readonly DealStatus[]
  /** Where it may lead; which one is decided by the deal's terms (`decisions.ts`) and named in the comment beside it. */
  readonly to: readonly DealStatus[]
}

/** The buyer's money is held and nothing is in dispute; `disputed` holds it, too. */
const FUNDED = ['paid', 'in_progress', 'shipped', 'delivered', 'inspection'] as const

export const TRANSITIONS: readonly Transition[] = [
  { command: 'recordFunds', by: ['provider'], from: ['pending'], to: ['paid'] },
  { command: 'cancel', by: ['buyer', 'seller'], from: ['pending'], to: ['cancelled'] },
  { command: 'endPaymentWindow', by: ['clock'], from: ['pending'], to: ['cancelled'] },
  { command: 'startHandover', by: ['seller'], from: ['paid'], to: ['in_progress'] },
  { command: 'saveTracking', by: ['seller'], from: ['paid', 'in_progress', 'shipped'], to: ['shipped'] },
  { command: 'endShipBy', by: ['clock'], from: ['paid'], to: ['cancelled'] },
  // Silence without delivery never releases: the system files a dispute instead.
  { command: 'endReceiveBy', by: ['clock'], from: ['in_progress', 'shipped'], to: ['disputed'] },
  // Delivered is passed through: inspection begins in the same write.
  { command: 'recordDelivery', by: ['carrier'], from: ['shipped'], to: ['inspection'] },
  // As-is completes at once: the buyer's own word ends a deal that has no inspection.
  {
    command: 'confirmDelivery',
    by: ['buyer'],
    from: ['paid', 'in_progress', 'shipped'],
    to: ['inspection', 'completed'],
  },
  { command: 'accept', by: ['buyer'], from: ['delivered', 'inspection'], to: ['completed'] },
  { command: 'endInspection', by: ['clock'], from: ['inspection'], to: ['completed'] },
  { command: 'refund', by: ['seller'], from: FUNDED, to: ['cancelled'] },
  { command: 'freeze', by: ['mediation'], from: FUNDED, to: ['disputed'] },
  // Back to where the dispute stopped it.
  { command: 'resume', by: ['mediation'], from: ['disputed'], to: FUNDED },
]

/** Statuses that a move passes through and leaves in the same write; they stand in the timeline, never at rest. */
export const PASSED_THROUGH = ['delivered', 'released'] as const satisfies readonly DealStatus[]
/** Funds that are received but not final come with bank and crypto payments, which no command brings yet. */
export const RESERVED = ['secured'] as const satisfies readonly DealStatus[]

const BY_COMMAND = new Map(TRANSITIONS.map(transition => [transition.command, transition]))

export function transitionOf(command: CommandType): Transition {
  const transition = BY_COMMAND.get(command)
  if (!transition) throw new Error(`no transition for ${command}`)
  return transition
}

/** Whether `role` could give `command` in `status`, judged by the table alone. */
export function isAllowed(command: CommandType, role: Role, status: DealStatus): boolean {
  const { by, from } = transitionOf(command)
  return by.includes(role) && from.includes(status)
}

/**
 * Refuses a step that the table does not have.
 *
 * @throws DomainError `FORBIDDEN` when the role never gives this command, `ESCROW_WRONG_STATE` with `from`, `to` and
 * the commands that are `allowed` to this role, when the deal is not where the command begins
 */
export function assertAllowed(command: CommandType, role: Role, status: DealStatus): void {
  const { by, from, to } = transitionOf(command)
  if (!by.includes(role)) throw new DomainError('FORBIDDEN', { command, role })
  if (!from.includes(status)) {
    const allowed = TRANSITIONS.filter(t => t.by.includes(role) && t.from.includes(status)).map(t => t.command)
    throw new DomainError('ESCROW_WRONG_STATE', { from: status, to: to[0], allowed })
  }
}

/**
 * Proves the table sound: each command once, every status known, every status reachable from `pending` or declared as
 * passed through or reserved, and every deal able to end. Called at boot, so that a wrong table never serves.
 */
export function checkTransitions(table: readonly Transition[] = TRANSITIONS): void {
  const problems: string[] = []
  const known = new Set<string>(DEAL_STATUSES)
  const commands = table.map(t => t.command)
  for (const command of COMMAND_TYPES) {
    const count = commands.filter(c => c === command).length
    if (count !== 1) problems.push(`${command} stands ${count} times`)
  }
  for (const t of table)
    for (const status of [...t.from, ...t.to]) if (!known.has(status)) problems.push(`${t.command}: unknown ${status}`)

  const reached = reachable(table, 'pending')
  const excused = new Set<string>([...PASSED_THROUGH, ...RESERVED])
  for (const status of DEAL_STATUSES)
    if (!reached.has(status) && !excused.has(status)) problems.push(`${status} cannot be reached`)
  for (const status of reached) {
    const ends = reachable(table, status)
    if (!ends.has('completed') && !ends.has('cancelled')) problems.push(`${status} never ends`)
  }
  if (problems.length) throw new Error(`transition table: ${problems.join('; ')}`)
}

function reachable(table: readonly Transition[], start: DealStatus): Set<DealStatus> {
  const seen = new Set<DealStatus>([start])
  // A set grows while it is walked: each status is visited once, so the walk ends.
  for (const status of seen) for (const t of table) if (t.from.includes(status)) for (const to of t.to) seen.add(to)
  return seen
}
