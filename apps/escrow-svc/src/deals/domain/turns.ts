/** What somebody may do with a deal now, and whose turn it is: derived from the transition table, never from a screen. */
import type { DealStatus, PartyRole } from '@holdfast/kernel/deals'
import { type CommandType, isAllowed } from './transitions.js'

/** The commands that people give, by the names the contracts have for them. */
const ACTIONS = {
  cancel: 'cancel',
  save_tracking: 'saveTracking',
  start_handover: 'startHandover',
  confirm_delivery: 'confirmDelivery',
  accept: 'accept',
  refund: 'refund',
} as const satisfies Record<string, CommandType>

export type PartyAction = keyof typeof ACTIONS | 'pay'

/** What a party may do, as buttons show it. Paying is not a command: the provider's word moves the deal. */
export function actionsOf(role: PartyRole, status: DealStatus): PartyAction[] {
  const names = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]
  const allowed: PartyAction[] = names.filter(name => isAllowed(ACTIONS[name], role, status))
  return role === 'buyer' && status === 'pending' ? ['pay', ...allowed] : allowed
}

/** Whom the deal waits for; null when it waits for nobody here: the carrier, a mediator, or it is over. */
export function turnOf(status: DealStatus): PartyRole | null {
  return TURNS[status]
}

const TURNS: Record<DealStatus, PartyRole | null> = {
  pending: 'buyer',
  secured: null,
  paid: 'seller',
  in_progress: 'buyer',
  shipped: null,
  delivered: 'buyer',
  inspection: 'buyer',
  released: null,
  completed: null,
  cancelled: null,
  disputed: null,
}
