/** The history of a user's payments and payouts, and their receipts. Served by escrow-svc; the gateway adds the names of the parties. */
import { PAYMENT_METHODS } from '@holdfast/kernel/payments'
import {
  HISTORY_KINDS,
  HISTORY_STATES,
  PAID_STATES,
  PAYMENT_PURPOSES,
  RETURN_STATES,
  TAKEN_STATES,
} from '@holdfast/kernel/receipts'
import { z } from 'zod'
import { Amount, CurrencyCode, IntegerId, PageQuery, Timestamp, Uuid } from './fields.js'
import { Quote } from './payments.js'
import { Payout } from './payouts.js'
import { route } from './route.js'
import { PublicUser } from './users.js'

/** The card of a payment: its brand as the provider names it, and its last four digits. */
export const CardUsed = z.object({ brand: z.string(), last4: z.string() })
export type CardUsed = z.infer<typeof CardUsed>

/** A movement of a user's money: what they paid, or what came back. */
export const HistoryLine = z.object({
  id: Uuid,
  kind: z.enum(HISTORY_KINDS),
  state: z.enum(HISTORY_STATES),
  /** The payment that it is, or that was returned. Its receipt has the details. */
  paymentId: Uuid,
  transactionId: IntegerId,
  title: z.string(),
  method: z.enum(PAYMENT_METHODS),
  /** Null for another method, and until the provider has told it. */
  card: CardUsed.nullable(),
  /** Never negative: the kind says whether it was paid or returned. Of an incomplete payment, what has arrived. */
  amount: Amount,
  /** The buyer's fees in `amount`. */
  fees: Amount,
  currency: CurrencyCode,
  at: Timestamp,
})
export type HistoryLine = z.infer<typeof HistoryLine>

/** Money of a payment that came back, or may come back. */
const Return = z.object({ id: Uuid, amount: Amount, at: Timestamp })

/** A payment as escrow-svc knows it. */
export const PaymentReceiptRecord = z.object({
  paymentId: Uuid,
  number: z.string(),
  state: z.enum(PAID_STATES),
  purpose: z.enum(PAYMENT_PURPOSES),
  transactionId: IntegerId,
  /** False for a deal that ended before it was paid: its page shows nothing. */
  hasTransactionPage: z.boolean(),
  title: z.string(),
  buyerId: Uuid,
  sellerId: Uuid,
  method: z.enum(PAYMENT_METHODS),
  card: CardUsed.nullable(),
  /** When the payment was begun. */
  createdAt: Timestamp,
  /** When Holdfast had the money; null before. */
  paidAt: Timestamp.nullable(),
  currency: CurrencyCode,
  /** The lines of the quote. Empty for money that paid for nothing. */
  lines: Quote.shape.lines,
  total: Amount,
  /** What has arrived of an incomplete payment; null for all others. */
  received: Amount.nullable(),
  refunds: z.array(Return.extend({ state: z.enum(RETURN_STATES) })),
  chargebacks: z.array(Return.extend({ state: z.enum(TAKEN_STATES) })),
  /** What has come back: refunds that were returned, and lost chargebacks. */
  returned: Amount,
})
export type PaymentReceiptRecord = z.infer<typeof PaymentReceiptRecord>

export const PaymentReceipt = PaymentReceiptRecord.omit({ buyerId: true, sellerId: true }).extend({
  buyer: PublicUser,
  seller: PublicUser,
})
export type PaymentReceipt = z.infer<typeof PaymentReceipt>

/** A payout with all that its amount consists of: the amounts of the deals, of the other deals and of the corrections sum to it. */
export const PayoutReceipt = Payout.extend({
  number: z.string(),
  /** Of all deals, also those that are not in `deals` because there are too many. */
  dealCount: z.number().int(),
  otherDeals: Amount,
  /** What belongs to no deal: corrections of the balance by Holdfast. */
  corrections: Amount,
})
export type PayoutReceipt = z.infer<typeof PayoutReceipt>

const PaymentParams = z.object({ paymentId: Uuid })
/** Lines are listed by their ids, which are in the order of time. */
const HistoryQuery = PageQuery.omit({ before: true }).extend({ before: Uuid.optional() })

export const receiptRoutes = {
  listPayments: route({
    method: 'GET',
    path: '/api/payments',
    access: 'user',
    summary: 'What the signed-in user has paid and what came back to them, newest first',
    query: HistoryQuery.extend({
      /** Only what belongs to this deal. */
      transactionId: PageQuery.shape.before,
    }),
    response: z.array(HistoryLine),
  }),
  getPaymentReceipt: route({
    method: 'GET',
    path: '/api/payments/{paymentId}',
    access: 'user',
    record: { kind: 'payment' },
    handling: 'joined',
    summary: 'The receipt of a payment; only for the user who paid',
    params: PaymentParams,
    response: PaymentReceipt,
    errors: ['NOT_FOUND'],
  }),
  listPayouts: route({
    method: 'GET',
    path: '/api/payouts/history',
    access: 'user',
    summary: 'The signed-in seller’s payouts, newest first',
    query: HistoryQuery,
    response: z.array(Payout),
  }),
  getPayoutReceipt: route({
    method: 'GET',
    path: '/api/payouts/{payoutId}',
    access: 'user',
    record: { kind: 'ownPayout' },
    summary: 'The receipt of a payout; only for the seller who is paid',
    params: z.object({ payoutId: Uuid }),
    response: PayoutReceipt,
    errors: ['NOT_FOUND'],
  }),
} as const

export const receiptInternalRoutes = {
  getPaymentReceiptRecord: route({
    method: 'GET',
    path: '/internal/payments/{paymentId}',
    access: { internal: ['gateway'] },
    summary: 'The receipt of a payment of the user on whose behalf the gateway asks, without the names of the parties',
    params: PaymentParams,
    response: PaymentReceiptRecord,
    errors: ['NOT_FOUND'],
  }),
} as const
