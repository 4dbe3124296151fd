/** A deal, its commands and their changes, as the rules see them. Nothing here depends on the database. */
import type { DealFacts, EventOf, PayloadOf } from '@holdfast/contracts/events'
import type { Clock, ClockChange } from '@holdfast/kernel/clocks'
import type { AcceptanceAct, DealStatus, PartyRole, SettlementCause, TimelineKind } from '@holdfast/kernel/deals'
import type { BuyerFees, FeeBasis } from '@holdfast/kernel/fees'
import type { Account } from '@holdfast/kernel/ledger'
import type { ChargebackStatus, PaymentMethod, RefundOrigin, RefundStatus } from '@holdfast/kernel/payments'
import type { Balances, JournalEntry } from '../../ledger/domain/journal.js'
import type { CommandType, Role, State } from './transitions.js'

/** What the rules read of a deal. Amounts are minor units of `currency`. */
export interface Deal extends FeeBasis, Balances {
  readonly id: number
  /** Grows by one with every change. A write based on an older version writes nothing. */
  readonly version: number
  readonly status: DealStatus
  readonly listingId: number
  readonly title: string
  readonly buyerId: string
  readonly sellerId: string
  /**
   * The buyer's fees: those of the used method from the moment when the buyer's money arrives. Before that, and after a transfer was
   * returned, those of a card payment.
   */
  readonly buyerFeeMinor: bigint
  readonly sellerFeeMinor: bigint
  readonly inspectionDays: number
  readonly openedAt: Date
  readonly paidAt: Date | null
  /** The payment that funded the deal; null before the deal is paid. */
  readonly settledPaymentId: string | null
  readonly trackingNumber: string | null
  readonly carrier: string | null
  readonly clock: RunningClock | null
  /**
   * The state in which the deal was stopped, by a dispute or by the provider. When the deal goes on, it stays here until the
   * resumed clock has ended.
   */
  readonly frozen: Frozen | null
  /** The ids of the disputes that have ended. A call that freezes the deal for one of them arrives too late. */
  readonly endedDisputes: readonly number[]
  /**
   * Whether the seller has accepted the terms by something they did themselves: they signed them, shipped or handed over. A buyer can name
   * anybody as the seller.
   */
  readonly sellerAccepted: boolean
}

/** What a seller says of the parcel. A correction writes only what is among `changed`; all of it when that is undefined. */
export interface ShipmentInput {
  readonly trackingNumber: string
  readonly carrier: string | null
  readonly changed?: readonly string[] | undefined
}

/** A clock that runs, with the time at which its command is due. */
export interface RunningClock {
  readonly kind: Clock
  readonly dueAt: Date
}

/** The state of a deal at the moment when a dispute or the provider stopped it, and why it is stopped. */
export interface Frozen {
  readonly status: DealStatus
  readonly clock: Clock | null
  readonly remainingMs: number
  /**
   * True once the clock was extended to the minimum time of a resumed clock. It is extended once only, because repeated
   * disputes could otherwise extend it for ever.
   */
  readonly minimumGiven: boolean
  /** The dispute that a party filed. Null when the system or the provider stopped the deal: escrow-svc has no id for that. */
  readonly disputeId: number | null
  /** Set while a party's dispute does not stop the clock of that party (`IN_DISPUTE`). It does not run while a bank decides. */
  readonly clockGoesOn?: true
  /** When the clock ends, if the dispute has not moved its end (`IN_DISPUTE`): a time such as `2026-11-22T20:15:30.123Z`. */
  readonly endsAt?: string
  /** The deal's version since it is stopped. It identifies a stop without a dispute's id. Older releases did not write it. */
  readonly version?: number
  /** The chargebacks and inquiries that the buyer's bank has not decided. While there is one, the deal stays stopped. */
  readonly chargebacks?: readonly string[]
  /** Set when a message of the provider stopped the deal. The deal goes on by itself once its cause has ended. */
  readonly stoppedByProvider?: true
  /** Set while a part of the payment is gone: the buyer has it back, by a refund at the provider or from their bank. */
  readonly short?: true
  /** Set when the system filed the dispute, because the item did not arrive in time. */
  readonly overdue?: true
}

/** A chargeback at the provider, as its latest message describes it. */
export interface Chargeback {
  readonly id: string
  readonly paymentId: string
  readonly amountMinor: bigint
  /** The currency of the amount. An amount in another currency than the payment is not booked: an operator must decide. */
  readonly currency: string
  readonly status: ChargebackStatus
  /** Whether the ledger has what the bank took. For an inquiry the bank takes nothing. */
  readonly withdrawn: boolean
  /** The provider's time of the message. It orders the decisions of a bank that decides more than once. */
  readonly asOf: Date
}

/** What lost chargebacks of the deal's own payment have taken, less what came back, in minor units by the account that bore it. */
export interface Losses {
  readonly holdMinor: bigint
  readonly sellerMinor: bigint
  readonly revenueMinor: bigint
  readonly costsMinor: bigint
  /** What operators have given the seller by adjustments since the first of these losses, less what they have taken back. */
  readonly adjustedMinor: bigint
}

/** A refund that an operator made at the provider. */
export interface ProviderRefund {
  readonly id: string
  readonly providerRefundId: string
  readonly paymentId: string
  readonly amountMinor: bigint
  readonly status: RefundStatus
  readonly origin: RefundOrigin
}

/** What the buyer has got of a payment, or is owed, besides the refund that a message names. Amounts are minor units. */
export interface GivenBack {
  /** What they may still get of it. */
  readonly leftMinor: bigint
  /** What was taken off our refund of it, because they had got that in another way, less what is owed again. */
  readonly takenMinor: bigint
  /** The account on which our refund of it is owed. */
  readonly owedOn: Account
}

/** A step that is asked for. It holds only what its sender sent. The time and new ids come with the circumstances. */
export type Command =
  | {
      readonly type: 'recordFunds'
      readonly paymentId: string
      readonly method: PaymentMethod
      readonly amountMinor: bigint
      readonly currency: string
    }
  | {
      readonly type: 'secureFunds'
      readonly paymentId: string
      readonly method: PaymentMethod
      readonly amountMinor: bigint
    }
  | { readonly type: 'returnFunds'; readonly method: PaymentMethod }
  | ({ readonly type: 'saveTracking' } & ShipmentInput)
  | { readonly type: 'freeze'; readonly disputeId: number; readonly reporter: PartyRole }
  | { readonly type: 'resume'; readonly disputeId: number }
  | { readonly type: 'forceRefund'; readonly reason: string | null }
  | SettleCommand
  | ChargebackCommand
  | RefundCommand
  | { readonly type: Exclude<CommandType, CommandWithInput> }

/** The end of a dispute with money. */
export interface SettleCommand {
  readonly type: 'settleDispute'
  readonly disputeId: number
  /** For a dispute that the system filed: the deal's version since it is stopped (`Frozen.version`). Null when it is not known. */
  readonly stoppedAtVersion: number | null
  /** The price that was held when this was decided, in minor units; null when the decision holds for any. */
  readonly heldMinor: bigint | null
  /** What the buyer gets back of the price that is still held, in minor units. */
  readonly refundMinor: bigint
  readonly cause: SettlementCause
}

/** A message of the provider about a chargeback. `before` is what is stored of the chargeback; null when nothing is. */
export interface ChargebackCommand {
  readonly type: 'openChargeback' | 'winChargeback' | 'loseChargeback'
  readonly chargeback: Chargeback
  readonly before: Pick<Chargeback, 'status' | 'withdrawn'> | null
  readonly losses: Losses
}

/** A message of the provider about a refund that we did not make. `before` is what is stored of it; null when nothing is. */
export interface RefundCommand {
  readonly type: 'recordRefund'
  readonly refund: Omit<ProviderRefund, 'origin'> & { readonly status: 'sent' | 'confirmed' | 'failed' }
  /** How its payment was made. */
  readonly method: PaymentMethod
  readonly before: Pick<ProviderRefund, 'status' | 'origin'> | null
}
type CommandWithInput =
  | 'secureFunds'
  | 'returnFunds'
  | 'recordFunds'
  | 'saveTracking'
  | 'freeze'
  | 'resume'
  | 'forceRefund'
  | SettleCommand['type']
  | ChargebackCommand['type']
  | RefundCommand['type']

/** What can change a deal. `mediation` is dispute-svc; an `operator` is an admin who acts for us. */
export type ActorKind = 'user' | 'clock' | 'provider' | 'carrier' | 'mediation' | 'operator'
/** Who changed a deal, as timeline and events keep it: `user:<id>`, `clock:deadline`, `provider:stripe`, `carrier:UPS`. */
export type ChangedBy = `${ActorKind}:${string}`

/** The actor of a change that a due clock makes. */
export const CLOCK_ACTOR: ChangedBy = 'clock:deadline'

/** The actor of an extension after a time in which no replica could act. */
export const OUTAGE_ACTOR: ChangedBy = 'clock:outage'

/** The payment provider, as timeline and events name it. */
export const BY_PROVIDER: ChangedBy = 'provider:stripe'

/** The crypto processor, as timeline and events name it. */
export const BY_CRYPTO_PROCESSOR: ChangedBy = 'provider:coinify'

/** Everything else that a decision depends on. */
export interface Circumstances {
  readonly role: Role
  /** The database's time when the deal was read. */
  readonly now: Date
  /** The length of a day in seconds: 86,400 in production, less in a demo or a test. */
  readonly daySeconds: number
  /** The id of the refund, if this command makes one. */
  readonly refundId: string
}

/** Everything that one command changes. All of it is written, or nothing. */
export interface Change {
  readonly status: DealStatus
  /** The steps of the change, in order, each with the status it leads to. A deal may pass through several. */
  readonly timeline: readonly TimelineFact[]
  readonly clock: RunningClock | null
  readonly clockEntries: readonly ClockEntry[]
  readonly journal: readonly JournalEntry[]
  /** What the journal adds to the balances on the deal's row. */
  readonly effect: Balances
  readonly events: readonly DealEvent[]
  readonly shipment?: { readonly trackingNumber: string; readonly carrier: string | null }
  readonly frozen: Frozen | null
  /** The dispute that this change ends. The deal remembers it. */
  readonly endedDispute?: number
  /** The payment that succeeded. A stray payment is one that the deal does not take: it is refunded. */
  readonly settles?: {
    readonly paymentId: string
    readonly stray: boolean
    /** Set when the provider has made no charge for it, so that there is no fee to read. */
    readonly withoutCharge?: boolean
  }
  /** The buyer's new fees, when they change: money has arrived by a method, or a transfer was returned. */
  readonly buyerFees?: BuyerFees
  /** The refund to send through the provider once this change is committed. */
  readonly refund?: { readonly id: string; readonly paymentId: string; readonly amountMinor: bigint }
  /** What is known of a chargeback from now on. */
  readonly chargeback?: Chargeback
  /** What is known from now on of a refund that an operator made at the provider. */
  readonly providerRefund?: ProviderRefund
  /** A party's acceptance of the frozen terms, by something they did. */
  readonly acceptance?: { readonly party: PartyRole; readonly by: Exclude<AcceptanceAct, 'signing'> }
  /** The earliest time that may be written for the change, in case the database's clock was set back. */
  readonly notBefore?: Date
}

/** One change of a deal's clock. `dueAt` is null when the clock does not run afterwards. */
export interface ClockEntry {
  readonly clock: Clock
  readonly change: ClockChange
  readonly cause: CommandType | 'open' | 'outage' | 'awaitTransfer'
  readonly dueAt: Date | null
}

/** One step of a deal, and the status it leads to. */
export interface TimelineFact {
  readonly kind: TimelineKind
  readonly status: DealStatus
  /** What an operator says about it to both parties. */
  readonly reason?: string | null
}

/** An event by its name in the contracts, with the facts it adds to those that every event of a deal carries. */
export type DealEvent = {
  readonly [N in DealEventName]: {
    readonly name: N
    readonly status: DealStatus
  } & (keyof OwnFacts<N> extends never ? unknown : { readonly facts: OwnFacts<N> })
}[DealEventName]
type OwnFacts<N extends DealEventName> = Omit<PayloadOf<EventOf<N>>, keyof DealFacts>

export type DealEventName =
  | 'transactionPaid'
  | 'transactionSecured'
  | 'transactionFundsReturned'
  | 'transactionPaymentFailed'
  | 'transactionHandoverStarted'
  | 'transactionShipped'
  | 'transactionDelivered'
  | 'transactionInspectionStarted'
  | 'transactionCompleted'
  | 'transactionCancelled'
  | 'transactionRefunded'
  | 'transactionRefundFailed'
  | 'transactionDisputed'
  | 'transactionChargebackOpened'
  | 'transactionChargebackClosed'
  | 'transactionDisputeEnded'
  | 'transactionResumed'

/** The state of a deal in the transition table. */
export function stateOf({ status, frozen }: Pick<Deal, 'status' | 'frozen'>): State {
  if (status !== 'disputed' || !frozen) return status
  if (frozen.chargebacks?.length) return 'charged_back'
  if (frozen.short) return 'short'
  return frozen.overdue ? 'overdue' : status
}

/** Whether the deal waits for the parcel that its seller sent, also after the system has filed a dispute about it. */
export function isParcelAwaited(deal: Pick<Deal, 'status' | 'frozen'>): boolean {
  return deal.status === 'shipped' || (stateOf(deal) === 'overdue' && deal.frozen?.status === 'shipped')
}

/** What the buyer pays, in minor units: the price and the buyer's fees. */
export const buyerTotalMinor = (deal: Pick<Deal, 'priceMinor' | 'buyerFeeMinor'>) =>
  deal.priceMinor + deal.buyerFeeMinor
/** What the seller gets at release, in minor units: the price less the seller's fee. */
export const sellerNetMinor = (deal: Pick<Deal, 'priceMinor' | 'sellerFeeMinor'>) =>
  deal.priceMinor - deal.sellerFeeMinor

/** Which party a user is, or null for a stranger. */
export function partyOf(deal: Pick<Deal, 'buyerId' | 'sellerId'>, userId: string): PartyRole | null {
  return deal.buyerId === userId ? 'buyer' : deal.sellerId === userId ? 'seller' : null
}
