/**
 * Every event between services. Names are in the past tense and have a version; payloads only gain fields. Each kind of
 * aggregate has a topic, which only its own service writes. Which service handles what: `docs/architecture.md`, "Events".
 */

import { CLOCKS } from '@holdfast/kernel/clocks'
import {
  CANCEL_CAUSES,
  DEAL_STATUSES,
  DISPUTE_CAUSES,
  DISPUTE_END_CAUSES,
  ITEM_PLACES,
  REFUND_CAUSES,
} from '@holdfast/kernel/deals'
import { DISPUTE_CLOCKS, DISPUTE_ROLES, DISPUTE_STEPS, DISPUTE_TURNS, RULING_OUTCOMES } from '@holdfast/kernel/disputes'
import { LISTING_STATUSES } from '@holdfast/kernel/listings'
import { CHARGEBACK_OUTCOMES } from '@holdfast/kernel/payments'
import { z } from 'zod'
import { Amount, CurrencyCode, IntegerId, Timestamp, Uuid } from './fields.js'
import { ListingTerms } from './terms.js'
import type { Topic } from './topology.js'
import { PublicUser } from './users.js'

export type { Topic }

/** The key of an event is the id of its aggregate. Events of one key are read in order. */
export interface EventDefinition<P extends z.ZodType = z.ZodType> {
  readonly type: `${Topic}.${string}.v${number}`
  readonly topic: Topic
  readonly payload: P
}

const define = <const T extends `${Topic}.${string}.v${number}`, P extends z.ZodType>(
  topic: Topic,
  type: T,
  payload: P,
) => ({ type, topic, payload })

export const userRegistered = define('identity.user', 'identity.user.registered.v1', z.object({ user: PublicUser }))
export const userUpdated = define('identity.user', 'identity.user.updated.v1', z.object({ user: PublicUser }))

/** Sessions of the user that ended before their time: by a sign-out, a replacing sign-in, or the user's order. */
export const userSessionsEnded = define(
  'identity.user',
  'identity.user.sessions_ended.v1',
  z.object({ sessionIds: z.array(Uuid) }),
)

export const listingCreated = define(
  'listing.listing',
  'listing.listing.created.v1',
  z.object({ listingId: IntegerId, sellerId: Uuid, terms: ListingTerms }),
)
export const listingChanged = define(
  'listing.listing',
  'listing.listing.changed.v1',
  z.object({ listingId: IntegerId, sellerId: Uuid, status: z.enum(LISTING_STATUSES) }),
)

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

export const transactionOpened = deal('opened', { openedBy: Uuid })
export const transactionPaid = deal('paid', { total: Amount })
export const transactionPaymentFailed = deal('payment_failed')
export const transactionHandoverStarted = deal('handover_started')
export const transactionShipped = deal('shipped', {
  trackingNumber: z.string(),
  carrier: z.string().nullable(),
  /** Whether the seller replaced the number of an item that was shipped before. An event without it is older than the field. */
  isCorrection: z.boolean().default(false),
})
export const transactionDelivered = deal('delivered')
export const transactionInspectionStarted = deal('inspection_started', { inspectionEndsAt: Timestamp })
export const transactionCompleted = deal('completed', { sellerNet: Amount })
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

/** What every event of a payout carries. Its key is the payout's id. */
const Payout = z.object({
  payoutId: Uuid,
  sellerId: Uuid,
  amount: Amount,
  currency: CurrencyCode,
  /** The seller's bank account as they know it, such as `Test Bank ending in 4242`; null when the provider does not name it. */
  bankLabel: z.string().nullable(),
  at: Timestamp,
})
/** The provider has sent a payout to the seller's bank. */
export const payoutSent = define('escrow.payout', 'escrow.payout.sent.v1', Payout)
/** The bank has a payout. */
export const payoutPaid = define('escrow.payout', 'escrow.payout.paid.v1', Payout)
/** A payout did not reach the bank, or came back: the amount is on the seller's balance again. */
export const payoutReturned = define(
  'escrow.payout',
  'escrow.payout.returned.v1',
  Payout.extend({
    /** The reason, as the seller reads it. */
    failure: z.string(),
  }),
)

export const disputeOpened = define(
  'dispute.dispute',
  'dispute.dispute.opened.v1',
  z.object({
    disputeId: IntegerId,
    transactionId: IntegerId,
    buyerId: Uuid,
    sellerId: Uuid,
    reporterId: Uuid.nullable(),
  }),
)
/** A dispute was closed although its reporter did not withdraw it. */
export const disputeClosed = define(
  'dispute.dispute',
  'dispute.dispute.closed.v1',
  z.object({ disputeId: IntegerId, transactionId: IntegerId, buyerId: Uuid, sellerId: Uuid }),
)
export const disputeWithdrawn = define(
  'dispute.dispute',
  'dispute.dispute.withdrawn.v1',
  z.object({ disputeId: IntegerId, transactionId: IntegerId, buyerId: Uuid, sellerId: Uuid }),
)

/**
 * The time limits of a dispute stopped because the buyer's bank decides, or go on. The parties are notified of it by the events of
 * the deal; this one says that the case has changed.
 */
export const disputeTimeChanged = define(
  'dispute.dispute',
  'dispute.dispute.time_changed.v1',
  z.object({ disputeId: IntegerId, transactionId: IntegerId, buyerId: Uuid, sellerId: Uuid }),
)

/**
 * A step of a dispute of which its parties are notified. A filing, a withdrawal and a closing have events of their own, and what
 * happens to the money is in the events of the deal.
 */
export const disputeProgressed = define(
  'dispute.dispute',
  'dispute.dispute.progressed.v1',
  z.object({
    disputeId: IntegerId,
    transactionId: IntegerId,
    buyerId: Uuid,
    sellerId: Uuid,
    title: z.string(),
    step: z.enum(DISPUTE_STEPS),
    by: z.enum([...DISPUTE_ROLES, 'carrier', 'system']),
    /** The amount that was proposed, declined, agreed or ruled; null when the step has none, and for all that is held. */
    refund: Amount.nullable(),
    currency: CurrencyCode,
    /** The time limit that a reminder or an escalation is about, whose turn it is, and when it ends. */
    clock: z.enum(DISPUTE_CLOCKS).nullable(),
    turn: z.enum(DISPUTE_TURNS),
    dueAt: Timestamp.nullable(),
    /** The ruling that the step is about, and whether it can still be appealed. Older releases did not write it. */
    ruling: z.object({ outcome: z.enum(RULING_OUTCOMES), isFinal: z.boolean() }).nullish(),
  }),
)

/**
 * A user's chat message. The text is not in it: messaging-svc gives it only to the deal's parties. `senderId` is null only in
 * events that an older release wrote for the system's messages.
 */
export const messagePosted = define(
  'messaging.message',
  'messaging.message.posted.v1',
  z.object({ messageId: Uuid, transactionId: IntegerId, buyerId: Uuid, sellerId: Uuid, senderId: Uuid.nullable() }),
)

/**
 * The system has written a message into the chat of each of these deals, and has notified their parties. Deals that were
 * handled together share one event. Its key is the id of the first of them.
 */
export const dealsAnnounced = define(
  'messaging.message',
  'messaging.message.announced.v1',
  z.object({
    transactions: z.array(z.object({ transactionId: IntegerId, buyerId: Uuid, sellerId: Uuid })).min(1),
  }),
)

export const EVENTS = {
  userRegistered,
  userUpdated,
  userSessionsEnded,
  listingCreated,
  listingChanged,
  transactionOpened,
  transactionPaid,
  transactionPaymentFailed,
  transactionHandoverStarted,
  transactionShipped,
  transactionDelivered,
  transactionInspectionStarted,
  transactionCompleted,
  transactionCancelled,
  transactionRefunded,
  transactionRefundFailed,
  transactionDisputed,
  transactionChargebackOpened,
  transactionChargebackClosed,
  transactionDisputeEnded,
  transactionResumed,
  payoutSent,
  payoutPaid,
  payoutReturned,
  disputeOpened,
  disputeClosed,
  disputeWithdrawn,
  disputeTimeChanged,
  disputeProgressed,
  messagePosted,
  dealsAnnounced,
} as const
export type EventName = keyof typeof EVENTS
export type EventOf<N extends EventName> = (typeof EVENTS)[N]
export type PayloadOf<E> = E extends { payload: infer P extends z.ZodType } ? z.output<P> : never

/** An event as a transport carries it. */
export interface EventEnvelope<P = unknown> {
  /** UUIDv7; the same at every delivery. */
  readonly id: string
  readonly type: string
  readonly topic: Topic
  /** The aggregate's id as text: it decides the partition. */
  readonly key: string
  readonly payload: P
  readonly occurredAt: string
  readonly requestId?: string
  readonly traceparent?: string
}

const BY_TYPE: ReadonlyMap<string, EventDefinition> = new Map(Object.values(EVENTS).map(event => [event.type, event]))
/** The definition of an event type; undefined for a type that only a newer release knows. */
export const findEvent = (type: string): EventDefinition | undefined => BY_TYPE.get(type)
