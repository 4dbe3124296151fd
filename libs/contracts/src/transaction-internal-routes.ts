/** The internal routes of deals, by which the gateway and dispute-svc call escrow-svc. */
import { DEAL_STATUSES, SETTLEMENT_CAUSES } from '@holdfast/kernel/deals'
import { MAX_COUNTERPARTIES } from '@holdfast/kernel/messages'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { MAX_CARRIER_LENGTH } from '@holdfast/kernel/tracking'
import { z } from 'zod'
import {
  Amount,
  AmountInput,
  CurrencyCode,
  IdParams,
  IntegerId,
  optionalLine,
  Timestamp,
  TrackingNumber,
  Uuid,
} from './fields.js'
import { route } from './route.js'
import { ListingTerms } from './terms.js'
import { DealsQuery, Purchase } from './transaction-routes.js'
import { SettlementTerms, TransactionFile, TransactionRecord, TransactionState } from './transactions.js'

const onFrozen = ['TRANSACTION_NOT_FOUND', 'ESCROW_WRONG_STATE', 'ESCROW_STOPPED_BY_PROVIDER', 'CONFLICT'] as const

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
    errors: [
      'LISTING_NOT_AVAILABLE',
      'OWN_LISTING',
      'COUNTERPARTY_UNAVAILABLE',
      'FORBIDDEN',
      'RATE_LIMITED',
      'IDEMPOTENCY_KEY_REUSED',
      'TRANSACTION_NOT_FOUND',
    ],
    repeatable: 'with-key',
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
  searchTransactionRecords: route({
    method: 'POST',
    path: '/internal/transactions/search',
    access: { internal: ['gateway'] },
    summary: 'The same, where the other party may also be one of the people whom the gateway has found by their names',
    body: DealsQuery.extend({ others: z.array(Uuid).max(MAX_COUNTERPARTIES) }),
    response: z.array(TransactionRecord),
  }),
  listTransactionPartners: route({
    method: 'GET',
    path: '/internal/transactions/partners',
    access: { internal: ['gateway'] },
    summary: 'The other parties of the user’s deals, those of the latest deals first',
    response: z.array(Uuid).max(MAX_COUNTERPARTIES),
  }),
  freezeTransaction: route({
    method: 'POST',
    path: '/internal/transactions/{id}/freeze',
    access: { internal: ['dispute-svc'] },
    summary:
      'Stop a deal’s clock for a dispute that has not ended; a repeated call for the same dispute changes nothing',
    params: IdParams,
    body: z.object({ disputeId: IntegerId, reporterId: Uuid }),
    repeatable: 'always',
    response: z.object({
      id: IntegerId,
      buyerId: Uuid,
      sellerId: Uuid,
      status: z.enum(DEAL_STATUSES),
      title: z.string(),
      amount: Amount,
      currency: CurrencyCode,
    }),
    errors: [...onFrozen, 'SELLER_NOT_ACCEPTED', 'DISPUTE_ENDED'],
  }),
  resumeTransaction: route({
    method: 'POST',
    path: '/internal/transactions/{id}/resume',
    access: { internal: ['dispute-svc'] },
    summary: 'End a dispute: its deal resumes, and the dispute cannot freeze it again',
    params: IdParams,
    body: z.object({
      disputeId: IntegerId,
      /** Who withdrew it. Missing when the caller is of an older release. */
      withdrawnBy: Uuid.optional(),
      /** As for `settleDispute`. Missing when the caller is of an older release. */
      dealVersion: z.number().int().optional(),
    }),
    repeatable: 'always',
    response: TransactionState,
    errors: onFrozen,
  }),
  listHeld: route({
    method: 'POST',
    path: '/internal/transactions/held',
    access: { internal: ['gateway'] },
    summary: 'What each of these deals holds now, for the mediators’ queue. The gateway checks that they are disputed',
    body: z.object({ transactionIds: z.array(IntegerId).min(1).max(MAX_PAGE_SIZE) }),
    response: z.array(z.object({ id: IntegerId, held: Amount })),
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
    body: z.object({
      trackingNumber: TrackingNumber,
      carrier: optionalLine(MAX_CARRIER_LENGTH).nullable(),
      /** Since when the number is that of this parcel. A replica of the release before leaves it out. */
      shippedAt: Timestamp.optional(),
    }),
    /** Null also while the number is that of a deal's parcel. */
    response: z.object({ deliveredAt: Timestamp.nullable() }),
  }),
  getSettlementTerms: route({
    method: 'GET',
    path: '/internal/transactions/{id}/settlement-terms',
    access: { internal: ['dispute-svc'] },
    summary: 'What a deal holds, and what decides how it would be split at the end of a dispute',
    params: IdParams,
    /** The version is for `settleDispute` and `resumeTransaction`. */
    response: SettlementTerms.extend({ version: z.number().int() }),
    errors: ['TRANSACTION_NOT_FOUND'],
  }),
  settleDispute: route({
    method: 'POST',
    path: '/internal/transactions/{id}/settle-dispute',
    access: { internal: ['dispute-svc'] },
    summary:
      'End a dispute with money: the buyer gets a part of the price back and the seller the rest. A repeated call for the same dispute changes nothing; one for a dispute that has ended otherwise is refused',
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
    repeatable: 'always',
    response: TransactionState,
    errors: [...onFrozen, 'AMOUNT_INVALID'],
  }),
} as const
