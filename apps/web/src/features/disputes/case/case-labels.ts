import {
  type DisputeClock,
  type DisputeRole,
  type ProposalState,
  RULING_TEXTS,
  type RulingOutcome,
} from '@holdfast/kernel/disputes'
import { capital } from './people.js'

const CLOCK_NAMES: Record<DisputeClock, string> = {
  response: 'Answer of the other side',
  first_look: 'First look of a mediator',
  ruling: 'Ruling',
  appeal: 'Time to appeal',
  second_ruling: 'Final decision',
  return_shipping: 'Sending the item back',
  return_arrival: 'Arrival of the return',
  return_check: 'Checking the return',
}
export const clockName = (kind: DisputeClock): string => CLOCK_NAMES[kind]

/** What a mediator can rule, in the words of the dispute policy. */
export const OUTCOME_LABELS: Record<RulingOutcome, string> = {
  full_refund: 'Full refund',
  partial_refund: 'Partial refund',
  seller_favor: 'Seller favor',
  return_exchange: 'Return/exchange',
}

/** What an outcome does, as a sentence. `part` is what a partial refund gives the buyer, where it is known. */
export const outcomeText = (outcome: RulingOutcome, part = 'a part of the price'): string =>
  capital(RULING_TEXTS[outcome](part))

export const PROPOSAL_STATES: Record<ProposalState, string> = {
  open: 'open',
  superseded: 'replaced by a newer one',
  declined: 'declined',
  accepted: 'accepted',
  ended: 'ended with the dispute',
}

/** The role behind a name: "Ana (seller)". */
export const ROLE_NAMES: Record<DisputeRole, string> = { buyer: 'buyer', seller: 'seller', mediator: 'mediator' }
