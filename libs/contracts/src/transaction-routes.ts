/** The public routes of deals. Served by escrow-svc and by the gateway. */
import { DEAL_STATUSES, PARTY_ROLES } from '@holdfast/kernel/deals'
import { ACCOUNT_KINDS } from '@holdfast/kernel/ledger'
import { MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import { MAX_SEARCH_LENGTH } from '@holdfast/kernel/users'
import { z } from 'zod'
import {
  Amount,
  AmountInput,
  CurrencyCode,
  IdParams,
  IntegerId,
  NOT_BLANK,
  oneOrMore,
  PageQuery,
  ShipmentInput,
  UserIdParams,
  Uuid,
} from './fields.js'
import { route } from './route.js'
import { SeenTerms } from './terms.js'
import { LedgerPosting, TimelineEntry, TrackingInfo, Transaction, TransactionState } from './transactions.js'

const onDeal = [
  'TRANSACTION_NOT_FOUND',
  'FORBIDDEN',
  'ESCROW_WRONG_STATE',
  'ESCROW_STOPPED_BY_PROVIDER',
  'SELLER_NOT_ACCEPTED',
  'CONFLICT',
  'IDEMPOTENCY_KEY_REUSED',
] as const
/** Cancelling a deal first cancels its open payment at the payment provider. */
const onCancelling = [...onDeal, 'PAYMENT_IN_PROGRESS', 'PAYMENT_PROVIDER_UNAVAILABLE'] as const

/**
 * A page of the user's deals; optionally only those in which they have this role, with a status, or on a listing. `q` finds words
 * of the item's title and of the other party's name by their beginnings, the transaction's number, and the tracking number as it was
 * entered.
 */
export const DealsQuery = PageQuery.extend({
  role: z.enum(PARTY_ROLES).optional(),
  status: oneOrMore(DEAL_STATUSES).optional(),
  listingId: PageQuery.shape.before,
  q: z.string().trim().max(MAX_SEARCH_LENGTH).optional(),
})

/** A buyer's request to buy a listing. An idempotency key of this route stands for these fields. */
export const Purchase = z.object({
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
    record: { kind: 'ownList' },
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
    record: { kind: 'deal' },
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
    record: { kind: 'listing', for: ['buyer'], namedBy: 'listingId' },
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
    record: { kind: 'deal' },
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
    record: { kind: 'deal' },
    summary: 'Cancel an unpaid deal; it disappears from both parties’ lists',
    params: IdParams,
    response: TransactionState,
    errors: onCancelling,
  }),
  acceptTransaction: route({
    method: 'POST',
    path: '/api/transactions/{id}/accept',
    access: 'user',
    record: { kind: 'deal', for: ['buyer'] },
    batched: true,
    summary: 'The buyer accepts the item; the funds are released to the seller',
    params: IdParams,
    response: TransactionState,
    errors: onDeal,
    repeatable: 'with-key',
  }),
  saveTracking: route({
    method: 'POST',
    path: '/api/transactions/{id}/tracking',
    access: 'user',
    record: { kind: 'deal', for: ['seller'] },
    summary: 'The seller gives the tracking number; it can be corrected until the item is delivered',
    params: IdParams,
    body: ShipmentInput,
    response: TransactionState,
    errors: onDeal,
    repeatable: 'with-key',
  }),
  confirmDelivery: route({
    method: 'POST',
    path: '/api/transactions/{id}/confirm-delivery',
    access: 'user',
    record: { kind: 'deal', for: ['buyer'] },
    summary:
      'The buyer confirms that the item has arrived; the inspection begins, or the deal completes when none was agreed',
    params: IdParams,
    response: TransactionState,
    errors: onDeal,
    repeatable: 'with-key',
  }),
  refundTransaction: route({
    method: 'POST',
    path: '/api/transactions/{id}/refund',
    access: 'user',
    record: { kind: 'deal', for: ['seller'] },
    summary: 'The seller refunds the whole payment',
    params: IdParams,
    response: TransactionState,
    errors: onDeal,
    repeatable: 'with-key',
  }),
  getTimeline: route({
    method: 'GET',
    path: '/api/transactions/{id}/timeline',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'Every change of a deal: what, who, when, and what it did to the clock; oldest first',
    params: IdParams,
    response: z.array(TimelineEntry),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  getLedger: route({
    method: 'GET',
    path: '/api/transactions/{id}/ledger',
    access: 'user',
    record: { kind: 'deal' },
    summary: 'The postings of a deal that concern its parties, the same for both; oldest first',
    params: IdParams,
    response: z.array(LedgerPosting),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  getTracking: route({
    method: 'GET',
    path: '/api/tracking/{trackingNumber}',
    access: 'user',
    record: { kind: 'parcel' },
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
