import type { PartyRole } from '@holdfast/kernel/deals'
import type { FiledDisputeReason, RulingOutcome } from '@holdfast/kernel/disputes'
import type { Rating } from '@holdfast/kernel/reviews'
import type { Item } from './item.js'
import type { Trader } from './people.js'
import type { ParcelMove } from './sandbox.js'

/** One act in a deal of the demo. */
export type Step =
  | { readonly does: 'say'; readonly by: PartyRole; readonly text: string }
  | { readonly does: 'pay' | 'confirmDelivery' | 'accept' | 'refund' | 'startHandover' | 'chargeBack' | 'failRefund' }
  /** The amount that the buyer transfers, as a decimal string. It may be more than what is to be paid. */
  | { readonly does: 'payByBank'; readonly amount: string }
  | { readonly does: 'review'; readonly by: PartyRole; readonly rating: Rating; readonly text: string }
  | { readonly does: 'ship'; readonly trackingNumber: string; readonly carrier: string }
  | { readonly does: 'move'; readonly status: ParcelMove; readonly message: string }
  | { readonly does: 'dispute'; readonly reason: FiledDisputeReason; readonly text: string }
  | CaseStep

/** One act in the case of a deal's dispute. */
export type CaseStep =
  | {
      readonly does: 'addEvidence'
      readonly by: PartyRole
      readonly note: string
      /** Names of drawings in `pictures/`. */
      readonly pictures: readonly string[]
    }
  | { readonly does: 'propose'; readonly by: PartyRole; readonly refundAmount: string }
  | {
      readonly does: 'rule'
      readonly outcome: RulingOutcome
      readonly refundAmount?: string
      readonly resolution: string
    }
  | { readonly does: 'waiveAppeal' }
  | { readonly does: 'appeal'; readonly by: PartyRole; readonly reason: string }
  | { readonly does: 'shipBack'; readonly trackingNumber: string; readonly carrier: string }
  | { readonly does: 'contestReturn'; readonly reason: string }

/** A deal of the demo, with everything that happens in it. */
export interface DemoDeal {
  readonly goods: Item
  readonly buyer: Trader
  readonly steps: readonly Step[]
}

export const buyerSays = (text: string): Step => ({ does: 'say', by: 'buyer', text })
export const sellerSays = (text: string): Step => ({ does: 'say', by: 'seller', text })
export const pay: Step = { does: 'pay' }
/** The buyer transfers an amount from their bank, which confirms it at once. What is too much goes back. */
export const payByBank = (amount: string): Step => ({ does: 'payByBank', amount })
export const startHandover: Step = { does: 'startHandover' }
export const confirmDelivery: Step = { does: 'confirmDelivery' }
export const accept: Step = { does: 'accept' }
const reviews =
  (by: PartyRole) =>
  (rating: Rating, text: string): Step => ({ does: 'review', by, rating, text })
export const buyerReviews = reviews('buyer')
export const sellerReviews = reviews('seller')
export const refund: Step = { does: 'refund' }
/** The buyer’s bank returns the refund, because the card is closed. */
export const failRefund: Step = { does: 'failRefund' }
/** The buyer’s bank disputes the payment. */
export const chargeBack: Step = { does: 'chargeBack' }
export const ship = (carrier: string, trackingNumber: string): Step => ({ does: 'ship', carrier, trackingNumber })
export const move = (status: ParcelMove, message: string): Step => ({ does: 'move', status, message })
export const dispute = (reason: FiledDisputeReason, text: string): Step => ({ does: 'dispute', reason, text })
const shows =
  (by: PartyRole) =>
  (note: string, ...pictures: readonly string[]): Step => ({ does: 'addEvidence', by, note, pictures })
export const buyerShows = shows('buyer')
export const sellerShows = shows('seller')
export const buyerProposes = (refundAmount: string): Step => ({ does: 'propose', by: 'buyer', refundAmount })
export const sellerProposes = (refundAmount: string): Step => ({ does: 'propose', by: 'seller', refundAmount })
export const rule = (outcome: RulingOutcome, resolution: string, refundAmount?: string): Step => ({
  does: 'rule',
  outcome,
  resolution,
  ...(refundAmount !== undefined && { refundAmount }),
})
/** Both parties give up their right to appeal. */
export const waiveAppeal: Step = { does: 'waiveAppeal' }
export const shipBack = (carrier: string, trackingNumber: string): Step => ({
  does: 'shipBack',
  carrier,
  trackingNumber,
})
export const buyerAppeals = (reason: string): Step => ({ does: 'appeal', by: 'buyer', reason })
export const contestReturn = (reason: string): Step => ({ does: 'contestReturn', reason })
