/** Deadlines as the rules see them. `deal-clock.timer.ts` and `payments.timers.ts` wake them up. */
import type { Clock } from '@holdfast/kernel/clocks'
import type { Circumstances, Deal, RunningClock } from './deal.js'
import type { CommandType } from './transitions.js'

/** The command that a deal's clock gives once it is due, or null while it is not: early, late and twice are harmless. */
export function dueCommand(
  t: Deal,
  now: Date,
): 'endPaymentWindow' | 'endShipBy' | 'endReceiveBy' | 'endInspection' | null {
  if (!t.clock || t.clock.dueAt.getTime() > now.getTime()) return null
  return CLOCK_COMMANDS[t.clock.kind]
}

const CLOCK_COMMANDS = {
  payment_window: 'endPaymentWindow',
  ship_by: 'endShipBy',
  receive_by: 'endReceiveBy',
  inspection: 'endInspection',
} as const satisfies Record<Clock, CommandType>

/** What becomes of a deal by itself when its clock runs out: what both parties are told beside the deadline. */
export const CLOCK_OUTCOMES = {
  payment_window: 'cancelled',
  ship_by: 'refunded',
  receive_by: 'disputed',
  inspection: 'released',
} as const satisfies Record<Clock, string>

export const daysMs = (days: number, { daySeconds }: Pick<Circumstances, 'daySeconds'>) => days * daySeconds * 1000

/** A clock that begins now. */
export function startClock(kind: Clock, days: number, given: Pick<Circumstances, 'now' | 'daySeconds'>): RunningClock {
  return { kind, dueAt: new Date(given.now.getTime() + daysMs(days, given)) }
}
