import type { DisputeClock, DisputeRole, ProposalState, RulingOutcome } from '@holdfast/kernel/disputes'

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

/** What a mediator can rule, in the words of the dispute policy, and what each does. */
export const OUTCOMES: Record<RulingOutcome, { readonly label: string; readonly text: string }> = {
  full_refund: { label: 'Full refund', text: 'Everything that is held goes back to the buyer, fees included.' },
  partial_refund: {
    label: 'Partial refund',
    text: 'The buyer gets a part of the price back. The seller gets the rest.',
  },
  seller_favor: { label: 'Seller favor', text: 'The seller gets the price. Nothing goes back to the buyer.' },
  return_exchange: {
    label: 'Return/exchange',
    text: 'The buyer sends the item back within 14 days and gets a full refund when it is back. If nothing is shipped, the seller is paid.',
  },
}

export const PROPOSAL_STATES: Record<ProposalState, string> = {
  open: 'open',
  superseded: 'replaced by a newer one',
  declined: 'declined',
  accepted: 'accepted',
  ended: 'ended with the dispute',
}

/** The role behind a name: "Ana (seller)". */
export const ROLE_NAMES: Record<DisputeRole, string> = { buyer: 'buyer', seller: 'seller', mediator: 'mediator' }
