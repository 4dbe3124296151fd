import type { DisputeCase, Proposal } from '@holdfast/contracts/disputes'
import type { PartyRole } from '@holdfast/kernel/deals'
import { type DisputeRole, partOfPrice } from '@holdfast/kernel/disputes'

/** The people of a case, as its reader knows them. */
export type CasePeople = Pick<DisputeCase, 'viewerRole'> & Record<PartyRole, { readonly firstName: string }>

/** "you", "Ana" or "a mediator": for the middle of a sentence. */
export function nameOf(role: DisputeRole, people: CasePeople): string {
  // Several mediators may act in a case, and who each of them was is not shown.
  if (role === 'mediator') return 'a mediator'
  return role === people.viewerRole ? 'you' : people[role].firstName
}

/** What the money line calls the parties. */
export const namesOf = ({ viewerRole, buyer, seller }: CasePeople) => ({
  buyerName: viewerRole === 'buyer' ? 'You' : buyer.firstName,
  sellerName: viewerRole === 'seller' ? 'You' : seller.firstName,
})

/** A name with a verb in the form that fits, for the middle of a sentence: "you get", "Ana gets". */
export const does = (role: DisputeRole, people: CasePeople, you: string, other: string): string =>
  `${nameOf(role, people)} ${role === people.viewerRole ? you : other}`

/** "You proposed to get $40.00 of the price back", "Ana proposes that you get nothing back" */
export function proposalWords(
  { role, refundAmount }: Pick<Proposal, 'role' | 'refundAmount'>,
  dispute: CasePeople & Pick<DisputeCase, 'currency'>,
  tense: 'past' | 'present',
): string {
  const who =
    tense === 'past' ? does(role, dispute, 'proposed', 'proposed') : does(role, dispute, 'propose', 'proposes')
  const what = role === 'buyer' ? 'to get' : `that ${does('buyer', dispute, 'get', 'gets')}`
  return `${capital(who)} ${what} ${partOfPrice(refundAmount, dispute.currency)} back`
}

/** The party on the other side. A mediator has none. */
export const otherSide = (role: DisputeRole): PartyRole | null =>
  role === 'mediator' ? null : role === 'buyer' ? 'seller' : 'buyer'

/** Makes a sentence of it. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
