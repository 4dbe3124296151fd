/** Deals: what escrow-svc keeps, and what the gateway answers when it has joined the people to it. */
import { CLOCK_CHANGES, CLOCKS } from '@holdfast/kernel/clocks'
import { DEAL_STATUSES, PARTY_ROLES, TIMELINE_ACTORS, TIMELINE_KINDS } from '@holdfast/kernel/deals'
import { ACCOUNT_KINDS, ENTRY_KINDS } from '@holdfast/kernel/ledger'
import { TRACKING_STATUSES } from '@holdfast/kernel/tracking'
import { z } from 'zod'
import { Amount, CurrencyCode, IntegerId, Timestamp, Uuid } from './fields.js'
import { ListingTerms } from './terms.js'
import { PublicUser } from './users.js'

/** What the user may do with the deal now: the screens show exactly these. */
export const TRANSACTION_ACTIONS = [
  'pay',
  'cancel',
  'save_tracking',
  'start_handover',
  'confirm_delivery',
  'accept',
  'refund',
] as const

/** What was sold, as it stood when the deal opened. */
export const SoldListing = ListingTerms.pick({
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
  /** Which party the reader is; others cannot read the deal. */
  viewerRole: z.enum(PARTY_ROLES),
  /** What the one who asks may do now. */
  actions: z.array(z.enum(TRANSACTION_ACTIONS)),
  /** Whose turn it is; null when neither party must act, since a clock runs, the carrier delivers, or the deal is over. */
  turn: z.enum(PARTY_ROLES).nullable(),
  clock: RunningClock.nullable(),
  /** Every status the deal has been in, in order: a step once reached stays complete. */
  reached: z.array(z.object({ status: z.enum(DEAL_STATUSES), at: Timestamp })),
  /** The money, to the cent. `held` is in escrow now; the buyer paid `buyerTotal`; the seller gets `sellerNet`. */
  money: z.object({
    buyerFee: Amount,
    buyerTotal: Amount,
    sellerFee: Amount,
    sellerNet: Amount,
    held: Amount,
    released: Amount,
    refunded: Amount,
  }),
  /** True when a delivery confirmed by the buyer completes the deal at once (no inspection was agreed). */
  completesOnDelivery: z.boolean(),
  /** A payment that is waiting for the provider's result. */
  paymentProcessing: z.boolean(),
})
export type TransactionRecord = z.infer<typeof TransactionRecord>

/**
 * What the parties of one deal see of each other. The other's e-mail address is null until the deal is paid: otherwise a user
 * could learn any address by opening a deal.
 */
export const DealParty = PublicUser.extend({ email: z.string().nullable() })
export type DealParty = z.infer<typeof DealParty>

export const Transaction = TransactionRecord.extend({ buyer: DealParty, seller: DealParty })
export type Transaction = z.infer<typeof Transaction>

/** The short answer of a command: where the deal is now. */
export const TransactionState = z.object({ id: IntegerId, status: z.enum(DEAL_STATUSES) })
export type TransactionState = z.infer<typeof TransactionState>

export const TimelineEntry = z.object({
  id: Uuid,
  kind: z.enum(TIMELINE_KINDS),
  /** What happened, in one sentence for both parties. */
  text: z.string(),
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
  entry: z.enum(ENTRY_KINDS),
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
  /** Text for a reader, never a code. */
  statusDescription: z.string(),
  location: z.string().nullable(),
  estimatedDelivery: Timestamp.nullable(),
  lastUpdate: Timestamp,
  delivered: z.boolean(),
})
