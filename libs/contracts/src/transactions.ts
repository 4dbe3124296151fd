/** Deals: as escrow-svc answers them, and as the gateway answers them with the profiles of the parties. */
import { CLOCK_CHANGES, CLOCKS } from '@holdfast/kernel/clocks'
import { ACCEPTANCE_ACTS, DEAL_STATUSES, PARTY_ROLES, TIMELINE_ACTORS, TIMELINE_KINDS } from '@holdfast/kernel/deals'
import { FEE_SCHEDULES, type FeeScheduleVersion } from '@holdfast/kernel/fees'
import { ACCOUNT_KINDS, PARTY_ENTRY_KINDS } from '@holdfast/kernel/ledger'
import { CHARGEBACK_PROGRESS, REFUND_PROGRESS } from '@holdfast/kernel/payments'
import { TRACKING_STATUSES } from '@holdfast/kernel/tracking'
import { PLANS } from '@holdfast/kernel/users'
import { z } from 'zod'
import { Amount, CurrencyCode, IntegerId, Sha256, Timestamp, Uuid } from './fields.js'
import { ListingTerms } from './terms.js'
import { PublicUser } from './users.js'

/** What the user may do with the deal now: the screens show exactly these. */
const TRANSACTION_ACTIONS = [
  'pay',
  'cancel',
  'save_tracking',
  'start_handover',
  'confirm_delivery',
  'accept',
  'refund',
] as const

/** The item as the listing described it when the deal opened. */
const SoldListing = ListingTerms.pick({
  title: true,
  description: true,
  price: true,
  currency: true,
  category: true,
  condition: true,
  location: true,
  images: true,
  returnPolicy: true,
}).extend({ id: IntegerId, inspectionPeriod: z.number().int() })

/** The deadline that runs: when no party acts by `dueAt`, the system does `outcome`. */
export const RunningClock = z.object({
  kind: z.enum(CLOCKS),
  dueAt: Timestamp,
  outcome: z.enum(['cancelled', 'refunded', 'disputed', 'released']),
})

/** What the buyer's bank does about the payment of a deal that holds nothing any more. */
export const SettledChargeback = z.object({
  status: z.enum(CHARGEBACK_PROGRESS),
  /** What the bank has asked for, and has taken back when the chargeback is lost. */
  amount: Amount,
  /** The seller's part: what is taken from their balance if an open one is lost, or what a lost one has taken. */
  fromSeller: Amount,
  /** When the bank asked, or when it decided. */
  since: Timestamp,
})
export type SettledChargeback = z.infer<typeof SettledChargeback>

export const TransactionRecord = z.object({
  id: IntegerId,
  listingId: IntegerId,
  buyerId: Uuid,
  sellerId: Uuid,
  amount: Amount,
  currency: CurrencyCode,
  status: z.enum(DEAL_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  listing: SoldListing,
  trackingNumber: z.string().nullable(),
  carrier: z.string().nullable(),
  expectedDelivery: Timestamp.nullable(),
  /** Which party the signed-in user is; no one else can read the deal. */
  viewerRole: z.enum(PARTY_ROLES),
  /** Who opened the deal. The other party may decline it until it is paid. */
  openedBy: z.enum(PARTY_ROLES),
  /** Whether the seller has signed these terms, shipped or handed over. Until then the buyer can neither confirm a delivery nor file a dispute. */
  sellerAccepted: z.boolean(),
  /** What the signed-in user may do now. */
  actions: z.array(z.enum(TRANSACTION_ACTIONS)),
  /** Who must act. Null when neither party must: a clock runs, the carrier delivers, or the deal is over. */
  turn: z.enum(PARTY_ROLES).nullable(),
  clock: RunningClock.nullable(),
  /** The clock that runs again when a dispute is withdrawn, with an end that the dispute has not moved and that may have passed; null otherwise. */
  clockAfterDispute: RunningClock.nullable(),
  /** Every status the deal has had, in order. The progress display keeps them as complete. */
  reached: z.array(z.object({ status: z.enum(DEAL_STATUSES), at: Timestamp })),
  /** `held` is in escrow now, `buyerTotal` is what the buyer pays, and `sellerNet` is what the seller gets. */
  money: z.object({
    buyerFee: Amount,
    buyerTotal: Amount,
    sellerFee: Amount,
    sellerNet: Amount,
    held: Amount,
    released: Amount,
    refunded: Amount,
    /** What the buyer's bank took back by a lost chargeback. */
    chargedBack: Amount,
  }),
  /** True when a delivery confirmed by the buyer completes the deal at once (no inspection was agreed). */
  completesOnDelivery: z.boolean(),
  /** A payment that is waiting for the provider's result. */
  paymentProcessing: z.boolean(),
  /** The progress of the refund; null without one. A failed one is still owed to the buyer. */
  refund: z.enum(REFUND_PROGRESS).nullable(),
  /** Set when Holdfast has refunded the deal, with what it says about it to both parties. Older refunds have no reason. */
  forcedRefund: z.object({ reason: z.string().nullable() }).nullable(),
  /** True while the deal is stopped until the buyer's bank has decided about the payment. */
  waitsForBank: z.boolean(),
  /** A chargeback of a deal that holds nothing any more: one that is open comes before one that was lost, and that before a won one. */
  chargeback: SettledChargeback.nullable(),
})
export type TransactionRecord = z.infer<typeof TransactionRecord>

/**
 * What the parties of one deal see of each other. The other's e-mail address is null until they have acted: a buyer
 * has paid, a seller has shipped or handed over. Otherwise a user could find out any user's address by naming them.
 */
export const DealParty = PublicUser.extend({ email: z.string().nullable() })
export type DealParty = z.infer<typeof DealParty>

export const Transaction = TransactionRecord.extend({ buyer: DealParty, seller: DealParty })
export type Transaction = z.infer<typeof Transaction>

/** The short answer of a command: the deal's new status. */
export const TransactionState = z.object({ id: IntegerId, status: z.enum(DEAL_STATUSES) })
export type TransactionState = z.infer<typeof TransactionState>

export const TimelineEntry = z.object({
  id: Uuid,
  kind: z.enum(TIMELINE_KINDS),
  /** What happened, in one sentence for both parties. */
  text: z.string(),
  /** Why Holdfast did it, in the words of an operator for both parties; null for all other steps. */
  reason: z.string().nullable(),
  status: z.enum(DEAL_STATUSES),
  actor: z.enum(TIMELINE_ACTORS),
  at: Timestamp,
  clock: z
    .object({
      kind: z.enum(CLOCKS),
      change: z.enum(CLOCK_CHANGES),
      dueAt: Timestamp.nullable(),
    })
    .nullable(),
})

export const LedgerPosting = z.object({
  entryId: Uuid,
  entry: z.enum(PARTY_ENTRY_KINDS),
  debit: z.object({ kind: z.enum(ACCOUNT_KINDS), label: z.string() }),
  credit: z.object({ kind: z.enum(ACCOUNT_KINDS), label: z.string() }),
  amount: Amount,
  currency: CurrencyCode,
  at: Timestamp,
})

export const TrackingInfo = z.object({
  trackingNumber: z.string(),
  carrier: z.string().nullable(),
  status: z.enum(TRACKING_STATUSES),
  /** A text for users, never a code. */
  statusDescription: z.string(),
  location: z.string().nullable(),
  estimatedDelivery: Timestamp.nullable(),
  lastUpdate: Timestamp,
  delivered: z.boolean(),
})

/** What decides how a deal's hold is split at the end of a dispute (`splitHold` of the kernel). */
export const SettlementTerms = z.object({
  currency: CurrencyCode,
  /** What the deal holds now: the price and the buyer's fees, unless a part of the payment is gone. */
  held: Amount,
  /** What went back to the buyer already: as refunds, and through their bank. */
  refunded: Amount.default('0'),
  chargedBack: Amount.default('0'),
  buyerFee: Amount,
  feeSchedule: z.enum(Object.keys(FEE_SCHEDULES) as [FeeScheduleVersion]),
  sellerPlan: z.enum(PLANS),
  status: z.enum(DEAL_STATUSES),
  /** True while the buyer's bank has not decided about a chargeback: until then no dispute can be settled. */
  waitsForBank: z.boolean(),
  /** True when a part of the payment is gone: then the dispute ends by a settlement or a ruling, and no withdrawal lets the deal go on. */
  partIsGone: z.boolean().default(false),
  /** Whether a scan ever showed that the parcel moved. */
  parcelMoved: z.boolean(),
  /** Whether the deal holds so much that a ruling needs a second admin. */
  needsSecondAdmin: z.boolean(),
})
export type SettlementTerms = z.infer<typeof SettlementTerms>

/** What escrow-svc knows of a disputed deal, for a mediator. */
export const TransactionFile = z.object({
  id: IntegerId,
  buyerId: Uuid,
  sellerId: Uuid,
  status: z.enum(DEAL_STATUSES),
  /** The terms as they were frozen, and the hash to which the acceptances refer: SHA-256 of `termsText` in UTF-8. */
  listing: SoldListing,
  termsText: z.string(),
  termsVersion: z.string(),
  termsHash: Sha256,
  acceptances: z.array(
    z.object({ party: z.enum(PARTY_ROLES), by: z.enum(ACCEPTANCE_ACTS), termsHash: Sha256, at: Timestamp }),
  ),
  parcel: z
    .object({
      trackingNumber: z.string(),
      carrier: z.string().nullable(),
      status: z.enum(TRACKING_STATUSES).nullable(),
      statusDescription: z.string().nullable(),
      location: z.string().nullable(),
      lastUpdate: Timestamp.nullable(),
      deliveredAt: Timestamp.nullable(),
    })
    .nullable(),
  timeline: z.array(TimelineEntry),
  ledger: z.array(LedgerPosting),
})
export type TransactionFile = z.infer<typeof TransactionFile>
