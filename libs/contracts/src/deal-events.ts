/** The events of a deal. Only escrow-svc writes them; their key is the deal's id. */

import { CLOCKS } from '@holdfast/kernel/clocks'
import {
  CANCEL_CAUSES,
  DEAL_STATUSES,
  DISPUTE_CAUSES,
  DISPUTE_END_CAUSES,
  ITEM_PLACES,
  PARTY_ROLES,
  REFUND_CAUSES,
} from '@holdfast/kernel/deals'
import { CHARGEBACK_OUTCOMES } from '@holdfast/kernel/payments'
import { z } from 'zod'
import { define } from './event.js'
import { Amount, CurrencyCode, IntegerId, Timestamp, Uuid } from './fields.js'

/** What every event of a deal carries, so that its handler need not ask escrow-svc for the deal. */
const Deal = z.object({
  transactionId: IntegerId,
  listingId: IntegerId,
  buyerId: Uuid,
  sellerId: Uuid,
  title: z.string(),
  amount: Amount,
  currency: CurrencyCode,
  status: z.enum(DEAL_STATUSES),
  at: Timestamp,
  /** Who moved it: `user:<id>`, `clock:deadline`, `provider:stripe`, `carrier:<name>`, `mediation:dispute-svc`. */
  actor: z.string(),
})
/** The facts that every event of a deal carries. */
export type DealFacts = z.output<typeof Deal>
const deal = <const N extends string, const M extends z.ZodRawShape = Record<never, never>>(name: N, more?: M) =>
  define('escrow.transaction', `escrow.transaction.${name}.v1`, Deal.extend((more ?? {}) as M))

/** Whether the seller had accepted the deal by then. */
const sellerAccepted = z.boolean()
export const transactionOpened = deal('opened', { openedBy: Uuid, sellerAccepted })
export const transactionPaid = deal('paid', { total: Amount, sellerAccepted })
/** The buyer's money has arrived and is not final: the bank may still take it back, or the network forget it. */
export const transactionSecured = deal('secured', { total: Amount })
/** The bank has taken the buyer's money back before it was final, or the network has forgotten it. The deal waits for a payment again. */
export const transactionFundsReturned = deal('funds_returned')
export const transactionPaymentFailed = deal('payment_failed', {
  /** Whether money came and goes back to the buyer: cryptocurrency that was too little or too late. Older events do not say it. */
  goesBack: z.boolean().default(false),
})
export const transactionHandoverStarted = deal('handover_started')
export const transactionShipped = deal('shipped', {
  trackingNumber: z.string(),
  carrier: z.string().nullable(),
  /** Whether the seller replaced the number of an item that was shipped before. An event without it is older than the field. */
  isCorrection: z.boolean().default(false),
})
export const transactionDelivered = deal('delivered')
export const transactionInspectionStarted = deal('inspection_started', { inspectionEndsAt: Timestamp })
export const transactionCompleted = deal('completed', {
  sellerNet: Amount,
  /** Whether both parties have accepted the deal by something they did. Only then does it count in their public numbers. */
  isMutual: z.boolean(),
})
export const transactionCancelled = deal('cancelled', { wasFunded: z.boolean(), cause: z.enum(CANCEL_CAUSES) })
export const transactionRefunded = deal('refunded', {
  refund: Amount,
  cause: z.enum(REFUND_CAUSES),
  /** What Holdfast says to both parties about a refund of its own, and where the item was. Null for all other refunds. */
  forced: z
    .object({ reason: z.string().nullable(), item: z.enum(ITEM_PLACES) })
    .nullable()
    .default(null),
})
/** A refund failed at the provider. `status` says whether the deal holds the money again; an ended deal owes it. */
export const transactionRefundFailed = deal('refund_failed', { refund: Amount })
/** Whether the deal is stopped until the buyer's bank has decided. False for a deal that has ended. Older releases did not write it. */
const waitsForBank = z.boolean().nullable().default(null)
export const transactionDisputed = deal('disputed', {
  disputeId: IntegerId.nullable(),
  cause: z.enum(DISPUTE_CAUSES),
  /** The deal's version since it is stopped. Older releases did not write it. */
  version: z.number().int().nullable().default(null),
  waitsForBank,
})
/**
 * The amount of a chargeback. When the bank asked in another currency than the deal's, it is what the buyer paid, and
 * `isOtherCurrency` is set.
 */
const Chargeback = {
  chargeback: Amount,
  isOtherCurrency: z.boolean().default(false),
  waitsForBank,
  /** The deal's version since this change. Older releases did not write it. */
  version: z.number().int().nullable().default(null),
}
/** The buyer's bank disputes the payment of a deal that was stopped or had ended already. Otherwise `disputed` says so. */
export const transactionChargebackOpened = deal('chargeback_opened', Chargeback)
/** The buyer's bank has decided. `status` says whether the deal goes on, is stopped for another reason, or has ended. */
export const transactionChargebackClosed = deal('chargeback_closed', {
  ...Chargeback,
  outcome: z.enum(CHARGEBACK_OUTCOMES),
})
/** A dispute that the system filed has ended without a mediator. The event of its cause follows. */
export const transactionDisputeEnded = deal('dispute_ended', { cause: z.enum(DISPUTE_END_CAUSES) })
export const transactionResumed = deal('resumed', { clock: z.enum(CLOCKS).nullable() })

/** A party of a completed deal has reviewed the other. The text is not in it: escrow-svc answers it. */
export const dealReviewed = define(
  'escrow.transaction',
  'escrow.transaction.reviewed.v1',
  z.object({
    transactionId: IntegerId,
    buyerId: Uuid,
    sellerId: Uuid,
    title: z.string(),
    authorRole: z.enum(PARTY_ROLES),
    /** The user whom it is about. */
    subjectId: Uuid,
    rating: z.number().int().min(1).max(5),
    at: Timestamp,
  }),
)
