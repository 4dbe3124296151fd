/** What a party may do with a deal now, and whose turn it is. Both follow from the transition table. */
import type { DealStatus, PartyRole } from '@holdfast/kernel/deals'
import { type Deal, stateOf } from './deal.js'
import { type CommandType, isAllowed, needsSellerAccepted } from './transitions.js'

/** The commands of the parties, by their names in the contracts. */
const ACTIONS = {
  cancel: 'cancel',
  save_tracking: 'saveTracking',
  start_handover: 'startHandover',
  confirm_delivery: 'confirmDelivery',
  accept: 'accept',
  refund: 'refund',
} as const satisfies Record<string, CommandType>

export type PartyAction = keyof typeof ACTIONS | 'pay'

/** What a party may do. Paying is not a command, because only the provider's event makes a deal paid: it is added here. */
export function actionsOf(role: PartyRole, deal: Pick<Deal, 'status' | 'frozen' | 'sellerAccepted'>): PartyAction[] {
  const state = stateOf(deal)
  const names = Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]
  const allowed: PartyAction[] = names.filter(
    name => isAllowed(ACTIONS[name], role, state) && (deal.sellerAccepted || !needsSellerAccepted(ACTIONS[name])),
  )
  return role === 'buyer' && state === 'pending' ? ['pay', ...allowed] : allowed
}

/** The party that the deal waits for; null when it waits for the carrier or a mediator, or has ended. */
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
