/** The clocks of a deal. `deal-clock.timer.ts` and `payments.timers.ts` give the commands of clocks that are due. */
import { CARRIER_WAIT_DAYS, type Clock } from '@holdfast/kernel/clocks'
import type { PartyRole } from '@holdfast/kernel/deals'
import type { Circumstances, Deal, RunningClock } from './deal.js'
import type { CommandType } from './transitions.js'

/** The command of a deal's clock once it is due; null while it is not, and for a deal without a clock. */
export function dueCommand(
  deal: Deal,
  now: Date,
): 'endPaymentWindow' | 'endShipBy' | 'endReceiveBy' | 'endInspection' | null {
  if (!deal.clock || deal.clock.dueAt.getTime() > now.getTime()) return null
  return CLOCK_COMMANDS[deal.clock.kind]
}

const CLOCK_COMMANDS = {
  payment_window: 'endPaymentWindow',
  ship_by: 'endShipBy',
  receive_by: 'endReceiveBy',
  inspection: 'endInspection',
} as const satisfies Record<Clock, CommandType>

/**
 * Whether the system still waits for an answer of a carrier that could not be asked. It waits for a limited time after the
 * clock was due.
 */
export function waitsForCarrier({ clock }: Deal, given: Pick<Circumstances, 'now' | 'daySeconds'>): boolean {
  return clock !== null && given.now.getTime() < clock.dueAt.getTime() + daysMs(CARRIER_WAIT_DAYS, given)
}

/** What a party's dispute does to the clock of the deal. */
type InDispute = 'stops' | 'keeps its end' | 'goes on'

/**
 * What a dispute does to each clock, by the party who files it. Nobody moves the end of their own time by a dispute that they file and
 * withdraw alone.
 * - `stops`: it is the other party's time. When the dispute is withdrawn, it runs again with what was left.
 * - `keeps its end`: nothing happens when it ends during the dispute, and a withdrawn dispute has not moved its end.
 * - `goes on`: it ends during the dispute as it would without it.
 */
const IN_DISPUTE: Readonly<Record<Clock, Readonly<Record<PartyRole, InDispute>>>> = {
  // A deal without money cannot be disputed.
  payment_window: { buyer: 'stops', seller: 'stops' },
  ship_by: { buyer: 'stops', seller: 'goes on' },
  // Either party may gain by a later end: the seller by a later mediation, and a buyer who has the item and says nothing.
  receive_by: { buyer: 'keeps its end', seller: 'keeps its end' },
  inspection: { buyer: 'keeps its end', seller: 'stops' },
}

/** What a dispute of this party does to the deal's clock. A deal without a clock has none to keep. */
export const inDisputeOf = (filedBy: PartyRole, { clock }: Deal): InDispute =>
  clock ? IN_DISPUTE[clock.kind][filedBy] : 'stops'

/** What happens to a deal when its clock runs out. Both parties see it next to the deadline. */
export const CLOCK_OUTCOMES = {
  payment_window: 'cancelled',
  ship_by: 'refunded',
  receive_by: 'disputed',
  inspection: 'released',
} as const satisfies Record<Clock, string>

export const daysMs = (days: number, { daySeconds }: Pick<Circumstances, 'daySeconds'>) => days * daySeconds * 1000

/** A clock that starts now. */
export function startClock(kind: Clock, days: number, given: Pick<Circumstances, 'now' | 'daySeconds'>): RunningClock {
  return { kind, dueAt: new Date(given.now.getTime() + daysMs(days, given)) }
}
