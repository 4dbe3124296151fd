import type { PartyRole } from '@holdfast/kernel/deals'
import type { FiledDisputeReason } from '@holdfast/kernel/disputes'
import type { Item } from './item.js'
import type { Trader } from './people.js'
import type { ParcelMove } from './sandbox.js'

/** One act in a deal of the demo. */
export type Step =
  | { readonly does: 'say'; readonly by: PartyRole; readonly text: string }
  | { readonly does: 'pay' | 'confirmDelivery' | 'accept' | 'refund' | 'startHandover' }
  | { readonly does: 'ship'; readonly trackingNumber: string; readonly carrier: string }
  | { readonly does: 'move'; readonly status: ParcelMove; readonly message: string }
  | { readonly does: 'dispute'; readonly reason: FiledDisputeReason; readonly text: string }

/** A deal of the demo, with everything that happens in it. */
export interface DemoDeal {
  readonly goods: Item
  readonly buyer: Trader
  readonly steps: readonly Step[]
}

export const buyerSays = (text: string): Step => ({ does: 'say', by: 'buyer', text })
export const sellerSays = (text: string): Step => ({ does: 'say', by: 'seller', text })
export const pay: Step = { does: 'pay' }
export const startHandover: Step = { does: 'startHandover' }
export const confirmDelivery: Step = { does: 'confirmDelivery' }
export const accept: Step = { does: 'accept' }
export const refund: Step = { does: 'refund' }
export const ship = (carrier: string, trackingNumber: string): Step => ({ does: 'ship', carrier, trackingNumber })
export const move = (status: ParcelMove, message: string): Step => ({ does: 'move', status, message })
export const dispute = (reason: FiledDisputeReason, text: string): Step => ({ does: 'dispute', reason, text })
