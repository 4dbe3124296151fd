/** A deal as the rules see it: what its row holds, and nothing about where the row is kept. */
import type { DealFacts, EventOf, PayloadOf } from '@holdfast/contracts/events'
import type { Clock, ClockChange } from '@holdfast/kernel/clocks'
import type { DealStatus, PartyRole, TimelineKind } from '@holdfast/kernel/deals'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import type { Balances, JournalEntry } from '../../ledger/domain/journal.js'
import type { BuyerFees, FeeBasis } from './fees.js'
import type { CommandType, Role } from './transitions.js'

export interface Deal extends FeeBasis, Balances {
  readonly id: number
  /** Grows with every change: a write that carries another version writes nothing. */
  readonly version: number
  readonly status: DealStatus
  readonly listingId: number
  readonly title: string
  readonly buyerId: string
  readonly sellerId: string
  /** What the buyer pays beyond the price: by card until the deal is paid, then by the way it was paid. */
  readonly buyerFeeMinor: bigint
  readonly sellerFeeMinor: bigint
  readonly inspectionDays: number
  readonly paidAt: Date | null
  /** The payment whose money is held, or was until the deal ended; null before the deal is paid. */
  readonly settledPaymentId: string | null
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
  /**
   * True once the clock was given the least time that a resumed clock has. It gets that once only, or repeated disputes
   * could extend it for ever.
   */
  readonly minimumGiven: boolean
  /** Null while a dispute that the system filed has no number yet. */
  readonly disputeId: number | null
}

/** What somebody asks for. A command holds only what its giver sent; ids and time come with the circumstances. */
export type Command =
  | {
      readonly type: 'recordFunds'
      readonly paymentId: string
      readonly method: PaymentMethod
      readonly amountMinor: bigint
      readonly currency: string
    }
  | { readonly type: 'saveTracking'; readonly trackingNumber: string; readonly carrier: string | null }
  | { readonly type: 'freeze' | 'resume'; readonly disputeId: number }
  | { readonly type: Exclude<CommandType, 'recordFunds' | 'saveTracking' | 'freeze' | 'resume'> }

export interface Circumstances {
  readonly role: Role
  readonly now: Date
  /** How long a day is: 86,400 in production, less in a demo or a test. */
  readonly daySeconds: number
  /** The id of the refund, should this command make one. */
  readonly refundId: string
}

/** Everything one command changes. It is written whole or not at all. */
export interface Change {
  readonly status: DealStatus
  /** What happened, in order. Each fact enters a status, also one that the deal only passes through. */
  readonly timeline: readonly TimelineFact[]
  readonly clock: RunningClock | null
  readonly clockEntries: readonly ClockEntry[]
  readonly journal: readonly JournalEntry[]
  /** What the journal adds to the balances on the deal's row. */
  readonly effect: Balances
  readonly events: readonly DealEvent[]
  readonly shipment?: { readonly trackingNumber: string; readonly carrier: string | null }
  readonly frozen: Frozen | null
  /** The payment that succeeded. A stray one paid for nothing: its money goes back, and the deal stays as it is. */
  readonly settles?: { readonly paymentId: string; readonly stray: boolean }
  /** The buyer's fees by the way the deal was paid, frozen with the payment. */
  readonly buyerFees?: BuyerFees
  /** Money to send back through the provider, once this is committed. */
  readonly refund?: { readonly id: string; readonly paymentId: string; readonly amountMinor: bigint }
  /** A party's acceptance of the frozen terms by what they did. */
  readonly acceptance?: { readonly party: PartyRole; readonly by: 'paying' | 'shipping' }
}

export interface ClockEntry {
  readonly clock: Clock
  readonly change: ClockChange
  readonly cause: CommandType | 'open'
  readonly dueAt: Date | null
}

export interface TimelineFact {
  readonly kind: TimelineKind
  readonly status: DealStatus
}

/** An event by its name in the contracts, with the facts it carries beyond those of every deal. */
export type DealEvent = {
  readonly [N in DealEventName]: {
    readonly name: N
    readonly status: DealStatus
  } & (keyof OwnFacts<N> extends never ? unknown : { readonly facts: OwnFacts<N> })
}[DealEventName]
type OwnFacts<N extends DealEventName> = Omit<PayloadOf<EventOf<N>>, keyof DealFacts>

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
export const buyerTotalMinor = (deal: Pick<Deal, 'priceMinor' | 'buyerFeeMinor'>) =>
  deal.priceMinor + deal.buyerFeeMinor
/** What the seller gets at release. */
export const sellerNetMinor = (deal: Pick<Deal, 'priceMinor' | 'sellerFeeMinor'>) =>
  deal.priceMinor - deal.sellerFeeMinor

/** Which party a user is, or null for a stranger. */
export function partyOf(deal: Pick<Deal, 'buyerId' | 'sellerId'>, userId: string): PartyRole | null {
  return deal.buyerId === userId ? 'buyer' : deal.sellerId === userId ? 'seller' : null
}
