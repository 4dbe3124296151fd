/** The routes of deals: the public ones of escrow-svc and of the gateway, and the internal ones of escrow-svc. */
import { DEAL_STATUSES, PARTY_ROLES, SETTLEMENT_CAUSES } from '@holdfast/kernel/deals'
import { ACCOUNT_KINDS } from '@holdfast/kernel/ledger'
import { MAX_CARRIER_LENGTH, MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import { z } from 'zod'
import {
  Amount,
  AmountInput,
  CurrencyCode,
  IdParams,
  IntegerId,
  NOT_BLANK,
  oneOrMore,
  optionalLine,
  PageQuery,
  Timestamp,
  TrackingNumber,
  UserIdParams,
  Uuid,
} from './fields.js'
import { route } from './route.js'
import { ListingTerms, SeenTerms } from './terms.js'
import {
  LedgerPosting,
  SettlementTerms,
  TimelineEntry,
  TrackingInfo,
  Transaction,
  TransactionFile,
  TransactionRecord,
  TransactionState,
} from './transactions.js'

const onDeal = [
  'TRANSACTION_NOT_FOUND',
  'FORBIDDEN',
  'ESCROW_WRONG_STATE',
  'ESCROW_STOPPED_BY_PROVIDER',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
] as const
/** Cancelling a deal first cancels its open payment at the payment provider. */
const onCancelling = [...onDeal, 'PAYMENT_IN_PROGRESS', 'PAYMENT_PROVIDER_UNAVAILABLE'] as const
const onFrozen = ['TRANSACTION_NOT_FOUND', 'ESCROW_WRONG_STATE', 'ESCROW_STOPPED_BY_PROVIDER', 'CONFLICT'] as const

/** A page of the user's deals; optionally only those in which they have this role, with a status, or on a listing. */
const DealsQuery = PageQuery.extend({
  role: z.enum(PARTY_ROLES).optional(),
  status: oneOrMore(DEAL_STATUSES).optional(),
  listingId: PageQuery.shape.before,
})

/** A buyer's request to buy a listing. An idempotency key of this route stands for these fields. */
const Purchase = z.object({
  listingId: IntegerId,
  buyerId: Uuid.nullish(),
  /** The price that the buyer saw, as a decimal. It is only compared with the listing's price. */
  amount: AmountInput,
  /** The other terms that the buyer saw. A client that leaves them out accepts the listing's present terms. */
  seen: SeenTerms.optional(),
})
export type Purchase = z.output<typeof Purchase>

export const transactionRoutes = {
  listTransactions: route({
    method: 'GET',
    path: '/api/transactions',
    access: 'user',
    handling: 'joined',
    summary: 'The signed-in user’s deals, newest first',
    query: DealsQuery,
    response: z.array(Transaction),
  }),
  listTransactionsOfUser: route({
    method: 'GET',
    path: '/api/transactions/user/{userId}',
    access: 'user',
    handling: 'joined',
    summary: 'The same list by user id; the id of another user is not found',
    params: UserIdParams,
    query: DealsQuery,
    response: z.array(Transaction),
    errors: ['NOT_FOUND'],
  }),
  getTransactionSummary: route({
    method: 'GET',
    path: '/api/transactions/summary',
    access: 'user',
    summary: 'The dashboard’s four figures',
    response: z.object({
      activeSales: z.number().int(),
      /** The seller's net of completed deals. */
      totalEarnings: Amount,
      activePurchases: z.number().int(),
      /** What the user was charged, less refunds. */
      totalSpent: Amount,
      currency: CurrencyCode,
    }),
  }),
  getTransaction: route({
    method: 'GET',
    path: '/api/transactions/{id}',
    access: 'user',
    handling: 'joined',
    summary: 'One deal with the item, the buyer and the seller; only for its parties',
    params: IdParams,
    response: Transaction,
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  createTransaction: route({
    method: 'POST',
    path: '/api/transactions',
    access: 'user',
    handling: 'joined',
    summary: 'Buy a listing: opens a deal under the listing’s present terms',
    status: 201,
    body: Purchase,
    response: Transaction,
    errors: [
      'LISTING_NOT_FOUND',
      'LISTING_NOT_AVAILABLE',
      'LISTING_CHANGED',
      'LISTING_PRICE_CHANGED',
      'COUNTERPARTY_UNAVAILABLE',
      'OWN_LISTING',
      'FORBIDDEN',
      'AMOUNT_INVALID',
      'RATE_LIMITED',
      'TRANSACTION_NOT_FOUND',
      'IDEMPOTENCY_KEY_REUSED',
    ],
  }),
  updateTransactionStatus: route({
    method: 'PATCH',
    path: '/api/transactions/{id}',
    access: 'user',
    summary:
      'Change a deal’s status: in_progress (seller), inspection and completed (buyer), cancelled; others are refused',
    params: IdParams,
    body: z.object({ status: z.enum(DEAL_STATUSES, { error: 'Not a status' }) }),
    response: TransactionState,
    errors: onCancelling,
  }),
  cancelTransaction: route({
    method: 'DELETE',
    path: '/api/transactions/{id}',
    access: 'user',
    summary: 'Cancel an unpaid deal; it disappears from both parties’ lists',
    params: IdParams,
    response: TransactionState,
    errors: onCancelling,
  }),
  acceptTransaction: route({
    method: 'POST',
    path: '/api/transactions/{id}/accept',
    access: 'user',
    batched: true,
    summary: 'The buyer accepts the item; the funds are released to the seller',
    params: IdParams,
    response: TransactionState,
    errors: onDeal,
  }),
  saveTracking: route({
    method: 'POST',
    path: '/api/transactions/{id}/tracking',
    access: 'user',
    summary: 'The seller gives the tracking number; it can be corrected until the item is delivered',
    params: IdParams,
    body: z.object({
      trackingNumber: TrackingNumber,
      carrier: optionalLine(MAX_CARRIER_LENGTH).nullish(),
    }),
    response: TransactionState,
    errors: onDeal,
  }),
  confirmDelivery: route({
    method: 'POST',
    path: '/api/transactions/{id}/confirm-delivery',
    access: 'user',
    summary:
      'The buyer confirms that the item has arrived; the inspection begins, or the deal completes when none was agreed',
    params: IdParams,
    response: TransactionState,
    errors: onDeal,
  }),
  refundTransaction: route({
    method: 'POST',
    path: '/api/transactions/{id}/refund',
    access: 'user',
    summary: 'The seller refunds the whole payment',
    params: IdParams,
    response: TransactionState,
    errors: onDeal,
  }),
  getTimeline: route({
    method: 'GET',
    path: '/api/transactions/{id}/timeline',
    access: 'user',
    summary: 'Every change of a deal: what, who, when, and what it did to the clock; oldest first',
    params: IdParams,
    response: z.array(TimelineEntry),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  getLedger: route({
    method: 'GET',
    path: '/api/transactions/{id}/ledger',
    access: 'user',
    summary: 'The postings of a deal that concern its parties, the same for both; oldest first',
    params: IdParams,
    response: z.array(LedgerPosting),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  getTracking: route({
    method: 'GET',
    path: '/api/tracking/{trackingNumber}',
    access: 'user',
    summary: 'Where a parcel is; only for the parties of the deal it belongs to',
    params: z.object({ trackingNumber: z.string().trim().min(1).max(MAX_TRACKING_NUMBER_LENGTH).meta(NOT_BLANK) }),
    response: TrackingInfo,
    errors: ['TRACKING_NOT_FOUND', 'UNAVAILABLE'],
  }),
  getTrialBalance: route({
    method: 'GET',
    path: '/api/admin/ledger/trial-balance',
    access: 'admin',
    summary:
      'The sum of every kind of account per currency, and what the deals hold; unless that equals `hold`, it is an incident',
    response: z.array(
      z.object({
        currency: CurrencyCode,
        total: Amount,
        /** The sum of `hold_minor` of all deals. It must equal the balance of `hold`. */
        heldByDeals: Amount,
        accounts: z.array(z.object({ kind: z.enum(ACCOUNT_KINDS), debits: Amount, credits: Amount, balance: Amount })),
      }),
    ),
  }),
} as const

export const transactionInternalRoutes = {
  openTransaction: route({
    method: 'POST',
    path: '/internal/transactions',
    access: { internal: ['gateway'] },
    summary: 'Open a deal under a listing’s terms, on behalf of the buyer or of the user who created the listing',
    status: 201,
    /** `purchase` is the buyer's request; null when the deal is opened by the listing's creation. */
    body: z.object({ terms: ListingTerms, buyerId: Uuid, purchase: Purchase.nullable() }),
    response: TransactionRecord,
    errors: ['LISTING_NOT_AVAILABLE', 'OWN_LISTING', 'RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED', 'TRANSACTION_NOT_FOUND'],
  }),
  findPurchasedTransaction: route({
    method: 'POST',
    path: '/internal/transactions/purchased',
    access: { internal: ['gateway'] },
    summary: 'The deal that an earlier request of the user with the same idempotency key has opened',
    body: z.object({ purchase: Purchase }),
    response: TransactionRecord,
    errors: ['IDEMPOTENCY_KEY_REUSED', 'TRANSACTION_NOT_FOUND'],
  }),
  getTransactionRecord: route({
    method: 'GET',
    path: '/internal/transactions/{id}',
    access: { internal: ['gateway'] },
    summary: 'One deal as its parties see it, without the profiles of the parties',
    params: IdParams,
    response: TransactionRecord,
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  listTransactionRecords: route({
    method: 'GET',
    path: '/internal/transactions',
    access: { internal: ['gateway'] },
    summary: 'The deals of the user on whose behalf the gateway asks, newest first',
    query: DealsQuery,
    response: z.array(TransactionRecord),
  }),
  freezeTransaction: route({
    method: 'POST',
    path: '/internal/transactions/{id}/freeze',
    access: { internal: ['dispute-svc'] },
    summary:
      'Stop a deal’s clock for a dispute that has not ended; a repeated call for the same dispute changes nothing',
    params: IdParams,
    body: z.object({ disputeId: IntegerId, reporterId: Uuid }),
    response: z.object({
      id: IntegerId,
      buyerId: Uuid,
      sellerId: Uuid,
      status: z.enum(DEAL_STATUSES),
      title: z.string(),
      amount: Amount,
      currency: CurrencyCode,
    }),
    errors: [...onFrozen, 'DISPUTE_ENDED'],
  }),
  resumeTransaction: route({
    method: 'POST',
    path: '/internal/transactions/{id}/resume',
    access: { internal: ['dispute-svc'] },
    summary: 'End a dispute: its deal resumes with the time that was left, and the dispute cannot freeze it again',
    params: IdParams,
    /** Who withdrew it. Missing when the caller is of an older release. */
    body: z.object({ disputeId: IntegerId, withdrawnBy: Uuid.optional() }),
    response: TransactionState,
    errors: onFrozen,
  }),
  getTransactionFile: route({
    method: 'GET',
    path: '/internal/transactions/{id}/file',
    access: { internal: ['gateway'] },
    summary: 'Everything that is known of a deal, for its mediator. The gateway checks that the deal is disputed',
    params: IdParams,
    response: TransactionFile,
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  trackParcel: route({
    method: 'POST',
    path: '/internal/parcels/track',
    access: { internal: ['dispute-svc'] },
    summary: 'Ask the carrier about a parcel that belongs to no deal, such as an item on its way back',
    body: z.object({ trackingNumber: TrackingNumber, carrier: optionalLine(MAX_CARRIER_LENGTH).nullable() }),
    response: z.object({ deliveredAt: Timestamp.nullable() }),
  }),
  getSettlementTerms: route({
    method: 'GET',
    path: '/internal/transactions/{id}/settlement-terms',
    access: { internal: ['dispute-svc'] },
    summary: 'What a deal holds, and what decides how it would be split at the end of a dispute',
    params: IdParams,
    /** The version is for `settleDispute`. */
    response: SettlementTerms.extend({ version: z.number().int() }),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  settleDispute: route({
    method: 'POST',
    path: '/internal/transactions/{id}/settle-dispute',
    access: { internal: ['dispute-svc'] },
    summary:
      'End a dispute with money: the buyer gets a part of the price back and the seller the rest. A repeated call for the same dispute changes nothing',
    params: IdParams,
    body: z.object({
      disputeId: IntegerId,
      /**
       * For a dispute that the system filed: the deal's version since it is stopped, as its `disputed` event named it. Null for another
       * dispute, and when the event had none.
       */
      stoppedAtVersion: z.number().int().nullable(),
      /** The deal's version that the caller has read. A call about an older one is refused. */
      dealVersion: z.number().int(),
      /** What the buyer gets back of the price that is still held; null for all of it. */
      refundAmount: AmountInput.nullable(),
      /** The price that was held when this was decided; null when the decision holds for any. */
      heldAmount: Amount.nullable(),
      cause: z.enum(SETTLEMENT_CAUSES),
      /** The user whose step ended it; null when a time limit did. */
      by: Uuid.nullable(),
    }),
    response: TransactionState,
    errors: [...onFrozen, 'AMOUNT_INVALID'],
  }),
} as const
