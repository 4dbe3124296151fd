/** A deal as the rules see it: what its row holds, and nothing about where the row is kept. */

import type { Clock } from '@holdfast/kernel/clocks'
import type { DealStatus } from '@holdfast/kernel/deals'
import type { Currency } from '@holdfast/kernel/money'
import type { JournalEntry } from '../../ledger/domain/journal.js'
import type { CommandType, Role } from './transitions.js'

export interface Deal {
  readonly id: number
  /** Grows with every change: a write that carries another version writes nothing. */
  readonly version: number
  readonly status: DealStatus
  readonly listingId: number
  readonly title: string
  readonly buyerId: string
  readonly sellerId: string
  readonly currency: Currency
  readonly priceMinor: bigint
  readonly buyerFeeMinor: bigint
  readonly sellerFeeMinor: bigint
  /** The balance of this deal's hold account; the row refuses less than zero. */
  readonly holdMinor: bigint
  readonly inspectionDays: number
  readonly paidAt: Date | null
  readonly trackingNumber: string | null
  readonly carrier: string | null
  readonly clock: RunningClock | null
  /** Where a dispute stopped the deal, and what was left of its clock; kept for as long as that clock runs on. */
  readonly frozen: Frozen | null
}

export interface RunningClock {
  readonly kind: Clock
  readonly dueAt: Date
}

export interface Frozen {
  readonly status: DealStatus
  readonly clock: Clock | null
  readonly remainingMs: number
  /** The clock was given the least that a resumed one has: it is not again, or disputes could stop it for ever. */
  readonly minimumGiven: boolean
  /** Null while a dispute that the system filed has no number yet. */
  readonly disputeId: number | null
}

export type Command =
  | {
      readonly type: 'recordFunds'
      readonly paymentId: string
      readonly amountMinor: bigint
      readonly currency: string
    }
  | { readonly type: 'saveTracking'; readonly trackingNumber: string; readonly carrier: string | null }
  | { readonly type: 'freeze' | 'resume'; readonly disputeId: number }
  | { readonly type: 'refund'; readonly paymentId: string | null; readonly refundId: string }
  | { readonly type: 'endShipBy'; readonly paymentId: string; readonly refundId: string }
  | {
      readonly type: Exclude<CommandType, 'recordFunds' | 'saveTracking' | 'freeze' | 'resume' | 'refund' | 'endShipBy'>
    }

export interface Circumstances {
  readonly role: Role
  readonly now: Date
  /** How long a day is: 86,400 in production, less in a demo or a test. */
  readonly daySeconds: number
}

/** Everything one command changes. It is written whole or not at all. */
export interface Change {
  readonly status: DealStatus
  /** What happened, in order. Each fact enters a status, also one that the deal only passes through. */
  readonly timeline: readonly TimelineFact[]
  readonly clock: RunningClock | null
  readonly clockEntries: readonly ClockEntry[]
  readonly holdDeltaMinor: bigint
  readonly journal: readonly JournalEntry[]
  readonly events: readonly DealEvent[]
  readonly shipment?: { readonly trackingNumber: string; readonly carrier: string | null }
  readonly frozen: Frozen | null
  /** The payment that succeeded. A stray one paid for nothing: its money goes back, and the deal stays as it is. */
  readonly settles?: { readonly paymentId: string; readonly stray: boolean }
  /** Money to send back through the provider, once this is committed. */
  readonly refund?: { readonly id: string; readonly paymentId: string; readonly amountMinor: bigint }
  /** A party's acceptance of the frozen terms by what they did. */
  readonly acceptance?: { readonly party: 'buyer' | 'seller'; readonly by: 'paying' | 'shipping' }
}

export interface ClockEntry {
  readonly clock: Clock
  readonly change: 'started' | 'paused' | 'resumed' | 'extended' | 'stopped'
  readonly cause: CommandType | 'open'
  readonly dueAt: Date | null
}

export interface TimelineFact {
  readonly kind:
    | CommandType
    | 'open'
    | 'inspect'
    | 'release'
    | 'complete'
    | 'correctTracking'
    | 'paymentFailed'
    | 'strayPayment'
  readonly status: DealStatus
}

/** An event by its name in the contracts and what it carries beyond the deal itself. */
export interface DealEvent {
  readonly name: DealEventName
  readonly status: DealStatus
  readonly more?: Readonly<Record<string, unknown>>
}

export type DealEventName =
  | 'transactionPaid'
  | 'transactionPaymentFailed'
  | 'transactionHandoverStarted'
  | 'transactionShipped'
  | 'transactionDelivered'
  | 'transactionInspectionStarted'
  | 'transactionCompleted'
  | 'transactionCancelled'
  | 'transactionRefunded'
  | 'transactionDisputed'
  | 'transactionResumed'

/** What the buyer pays: the price and the buyer's fees. */
export const buyerTotalMinor = (t: Pick<Deal, 'priceMinor' | 'buyerFeeMinor'>) => t.priceMinor + t.buyerFeeMinor
/** What the seller gets at release. */
export const sellerNetMinor = (t: Pick<Deal, 'priceMinor' | 'sellerFeeMinor'>) => t.priceMinor - t.sellerFeeMinor

/** Which party a user is, or null for a stranger. */
export function partyOf(t: Pick<Deal, 'buyerId' | 'sellerId'>, userId: string): 'buyer' | 'seller' | null {
  return t.buyerId === userId ? 'buyer' : t.sellerId === userId ? 'seller' : null
}
