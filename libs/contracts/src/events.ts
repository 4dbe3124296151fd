/**
 * Every event between services. Names are in the past tense and have a version; payloads only gain fields. Each kind of
 * aggregate has a topic, which only its own service writes. Which service handles what: `docs/architecture.md`, "Events".
 */

import { DISPUTE_CLOCKS, DISPUTE_ROLES, DISPUTE_STEPS, DISPUTE_TURNS, RULING_OUTCOMES } from '@holdfast/kernel/disputes'
import { NOTIFICATION_TYPES } from '@holdfast/kernel/messages'
import { VERIFICATION_DECISIONS } from '@holdfast/kernel/users'
import { z } from 'zod'
import {
  accountChecked,
  picturesChecked,
  picturesDropped,
  userClosed,
  userClosing,
  userClosingRefused,
  userConfirmedPayoutAccount,
} from './account-events.js'
import {
  dealReviewed,
  transactionCancelled,
  transactionChargebackClosed,
  transactionChargebackOpened,
  transactionCompleted,
  transactionDelivered,
  transactionDisputed,
  transactionDisputeEnded,
  transactionFundsReturned,
  transactionHandoverStarted,
  transactionInspectionStarted,
  transactionOpened,
  transactionPaid,
  transactionPaymentFailed,
  transactionRefunded,
  transactionRefundFailed,
  transactionResumed,
  transactionSecured,
  transactionShipped,
} from './deal-events.js'
import { define, type EventDefinition } from './event.js'
import { Amount, CurrencyCode, IntegerId, Timestamp, Uuid } from './fields.js'
import { planChanged, subscriptionCancelled, subscriptionPaymentFailed } from './subscription-events.js'
import { ListingTerms } from './terms.js'
import type { Topic } from './topology.js'
import { PublicUser } from './users.js'

export * from './account-events.js'
export * from './deal-events.js'
export type { EventDefinition, EventEnvelope, PayloadOf } from './event.js'
export * from './subscription-events.js'
export type { Topic }

const PublishedUser = PublicUser.extend({
  /** Whether the user has confirmed their e-mail address. */
  emailConfirmed: z.boolean(),
  /**
   * When the owner of the address took over an account that somebody else may have opened. What was attached to the account before is
   * removed. Null when nobody has taken it over.
   */
  takenOverAt: Timestamp.nullable(),
})
export const userRegistered = define('identity.user', 'identity.user.registered.v1', z.object({ user: PublishedUser }))
export const userUpdated = define('identity.user', 'identity.user.updated.v1', z.object({ user: PublishedUser }))

/** An operator has decided about the identity of a user. The reason is for the user. `userUpdated` says the same to other services. */
export const userVerificationDecided = define(
  'identity.user',
  'identity.user.verification_decided.v1',
  z.object({ userId: Uuid, decision: z.enum(VERIFICATION_DECISIONS), reason: z.string().nullable(), at: Timestamp }),
)

/** An admin has suspended a user, or has ended the suspension. */
export const userSuspensionChanged = define(
  'identity.user',
  'identity.user.suspension_changed.v1',
  z.object({ userId: Uuid, isSuspended: z.boolean(), at: Timestamp }),
)

/**
 * A user has blocked some others, or no longer blocks them. Its key is the user's id. An event may be replayed after a later one: of each
 * pair the latest `at` counts.
 */
export const userBlocksChanged = define(
  'identity.user',
  'identity.user.blocks_changed.v1',
  z.object({ userId: Uuid, blockedIds: z.array(Uuid).min(1), isBlocked: z.boolean(), at: Timestamp }),
)

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

/** No longer written. It can go when no log has an event of it any more (CONTRIBUTING.md says when). */
export const listingChanged = define('listing.listing', 'listing.listing.changed.v1', z.object({}))

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

/**
 * A seller has another bank account at the provider, or their first one. Its key is the seller's id. identity-svc mails it. With
 * `waitsUntil` nothing is paid into it until then, unless the seller confirms the change with the link of that mail.
 */
export const payoutAccountChanged = define(
  'escrow.payout',
  'escrow.payout.account_changed.v1',
  z.object({
    sellerId: Uuid,
    changeId: Uuid,
    bankLabel: z.string().nullable(),
    waitsUntil: Timestamp.nullable(),
    at: Timestamp,
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

const NotificationsToPassOn = z.object({
  notifications: z
    .array(
      z.object({
        id: Uuid,
        userId: Uuid,
        type: z.enum(NOTIFICATION_TYPES),
        title: z.string(),
        message: z.string(),
        /** The title of the deal that it is about; null when it is about none. */
        dealTitle: z.string().nullable(),
        transactionId: IntegerId.nullable(),
        disputeId: IntegerId.nullable(),
      }),
    )
    .min(1),
})

/**
 * Notifications of users who want them by mail, for identity-svc, which knows their addresses. A notification of a chat message has no
 * word of the message.
 */
export const notificationsToMail = define(
  'messaging.notification',
  'messaging.notification.to_mail.v1',
  NotificationsToPassOn,
)

/** Notifications of users who want push messages, for identity-svc, which knows their browsers. */
export const notificationsToPush = define(
  'messaging.notification',
  'messaging.notification.to_push.v1',
  NotificationsToPassOn,
)

/** Important notifications of users who want texts, for identity-svc, which knows their numbers. */
export const notificationsToText = define(
  'messaging.notification',
  'messaging.notification.to_text.v1',
  NotificationsToPassOn,
)

export const EVENTS = {
  userRegistered,
  userUpdated,
  userVerificationDecided,
  userSuspensionChanged,
  userBlocksChanged,
  userSessionsEnded,
  userClosing,
  userClosingRefused,
  userClosed,
  userConfirmedPayoutAccount,
  accountChecked,
  picturesDropped,
  picturesChecked,
  listingCreated,
  listingChanged,
  transactionOpened,
  transactionPaid,
  transactionSecured,
  transactionFundsReturned,
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
  dealReviewed,
  payoutSent,
  payoutPaid,
  payoutReturned,
  payoutAccountChanged,
  planChanged,
  subscriptionPaymentFailed,
  subscriptionCancelled,
  disputeOpened,
  disputeClosed,
  disputeWithdrawn,
  disputeTimeChanged,
  disputeProgressed,
  messagePosted,
  dealsAnnounced,
  notificationsToMail,
  notificationsToPush,
  notificationsToText,
} as const
export type EventName = keyof typeof EVENTS
export type EventOf<N extends EventName> = (typeof EVENTS)[N]
const BY_TYPE: ReadonlyMap<string, EventDefinition> = new Map(Object.values(EVENTS).map(event => [event.type, event]))
/** The definition of an event type; undefined for a type that only a newer release knows. */
export const findEvent = (type: string): EventDefinition | undefined => BY_TYPE.get(type)
