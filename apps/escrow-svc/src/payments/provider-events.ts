/** Stripe's events, reduced to what we use. Stripe's own types stay here, in `provider-objects.ts` and in `stripe.provider.ts`. */
import type Stripe from 'stripe'
import type { Chargeback } from '../deals/domain/deal.js'
import { type SentPayout, toSentPayout } from '../payouts/connect-objects.js'
import { type Intent, idOf, refundStatus, type SentRefundStatus, toIntent } from './provider-objects.js'

/** A signed event that the provider keeps money of a payer that no payment took. */
export interface UnappliedEvent {
  readonly kind: 'unapplied'
  readonly id: string
  readonly type: string
  readonly customerId: string
}

/** A signed event: the bank of a payer has taken back a transfer whose money no payment had. */
export interface TransferTakenBackEvent {
  readonly kind: 'transfer_taken_back'
  readonly id: string
  readonly type: string
  readonly customerId: string
}

/** A signed event about an intent. */
export interface IntentEvent {
  readonly kind: (typeof EVENT_KINDS)[keyof typeof EVENT_KINDS]
  readonly id: string
  readonly type: keyof typeof EVENT_KINDS
  readonly intent: Intent
  /** The id of our payment, from the intent's metadata; null for an intent that is not ours. */
  readonly paymentId: string | null
  readonly declineReason: string | null
}

/** A signed event about a refund. */
export interface RefundEvent {
  readonly kind: 'refund'
  readonly id: string
  readonly providerRefundId: string
  /** The id of our refund, from the metadata; null for a refund that an operator made at the provider. */
  readonly refundId: string | null
  readonly status: SentRefundStatus
  /** Why it failed, by Stripe's name; null when it has not. */
  readonly failureReason: string | null
  /** Null for a charge without an intent, which is not ours. */
  readonly intentId: string | null
  /** The payer whose bank transfer is returned, when no payment took it. */
  readonly customerId: string | null
  readonly amountMinor: bigint
  readonly currency: string
  readonly type: string
}

/** A signed event about a chargeback, which Stripe calls a dispute. */
export interface ChargebackEvent extends Omit<Chargeback, 'paymentId'> {
  readonly kind: 'chargeback'
  readonly eventId: string
  readonly type: string
  /** Null for a charge without an intent, which is not ours. */
  readonly intentId: string | null
  readonly currency: string
  /** Whether a part has come back although the bank has decided against us. Such a part is not booked by itself. */
  readonly isPartlyBack: boolean
  /** The provider's fee so far; null when the event names no movement of money. */
  readonly fee: ChargebackFee | null
}

/** The provider's fee of a chargeback, less what it has returned of it. */
export interface ChargebackFee {
  readonly amountMinor: bigint
  /** The currency of our balance there, which may be another than the chargeback's. */
  readonly currency: string
  /** The provider's movements of money from which the fee was read. A later event has more of them. */
  readonly movements: number
}

/** A signed event about a seller's account. It says only that the account has changed. */
export interface AccountEvent {
  readonly kind: 'account'
  readonly id: string
  readonly type: string
  readonly accountId: string
}

/** A signed event about a payout: of a seller's account to their bank, or of the provider to our own bank. */
export interface PayoutEvent extends SentPayout {
  readonly kind: 'payout'
  readonly id: string
  readonly type: string
  /** The seller's account; null for a payout to us. */
  readonly accountId: string | null
  /** The id of our payout, from the metadata. */
  readonly payoutId: string | null
  readonly createdAt: Date
}

/** A signed event that money of a transfer to a seller's account is back on our balance. */
export interface TransferReversedEvent {
  readonly kind: 'transfer_reversed'
  readonly id: string
  readonly type: string
  readonly transferId: string
  /** The group that we gave the transfer: the id of our payout. */
  readonly group: string | null
}

/** A signed event about a subscription or one of its invoices. It says only that something has changed. */
export interface SubscriptionEvent {
  readonly kind: 'subscription'
  readonly id: string
  readonly type: string
  /** The provider's id. */
  readonly subscriptionId: string
}

/** A signed event of a type that no code handles, one that only repeats what another event says, or one of the other mode (live or test). */
export interface OtherEvent {
  readonly kind: 'unhandled' | 'repetition' | 'other_mode'
  readonly id: string
  readonly type: string
}

/** A signed event. */
export type ProviderEvent =
  | IntentEvent
  | UnappliedEvent
  | TransferTakenBackEvent
  | RefundEvent
  | ChargebackEvent
  | AccountEvent
  | PayoutEvent
  | TransferReversedEvent
  | SubscriptionEvent
  | OtherEvent

const EVENT_KINDS = {
  'payment_intent.succeeded': 'succeeded',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.processing': 'processing',
  'payment_intent.canceled': 'cancelled',
  'payment_intent.partially_funded': 'partly_funded',
} as const

/**
 * The types of events that only repeat what we learn in another way: `payment_intent.succeeded` and
 * `payment_intent.payment_failed` give the result of a charge, the answer to our own request says what was created or moved,
 * `refund.*` says everything about a refund, and `account.updated` everything about a seller's account. After `invoice.paid` and its like
 * we ask about the subscription, and saved cards are read from the provider when they are shown.
 */
const REPETITIONS: ReadonlySet<string> = new Set([
  'payment_intent.created',
  'payment_intent.requires_action',
  'charge.succeeded',
  'charge.pending',
  'charge.failed',
  'charge.updated',
  'charge.refunded',
  'charge.refund.updated',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.subscription.created',
  'invoice.created',
  'invoice.finalized',
  'invoice.updated',
  'invoice.upcoming',
  'invoice.payment_succeeded',
  'invoice_payment.paid',
  'payment_method.attached',
  'payment_method.detached',
  'payment_method.updated',
  'setup_intent.created',
  'setup_intent.requires_action',
  'setup_intent.setup_failed',
  'setup_intent.succeeded',
  'price.created',
  'product.created',
  'transfer.created',
  'transfer.updated',
  'balance.available',
  'capability.updated',
  'person.created',
  'person.updated',
  'payout.reconciliation_completed',
])

/** Reads an event whose signature was verified. */
export function toProviderEvent(event: Stripe.Event): ProviderEvent {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
    case 'payment_intent.partially_funded':
    case 'payment_intent.canceled': {
      const { object } = event.data
      return {
        kind: EVENT_KINDS[event.type],
        id: event.id,
        type: event.type,
        intent: toIntent(object),
        paymentId: object.metadata.payment_id ?? null,
        declineReason: object.last_payment_error?.message ?? null,
      }
    }
    case 'refund.updated':
    case 'refund.created':
    case 'refund.failed': {
      const { object } = event.data
      return {
        kind: 'refund',
        id: event.id,
        providerRefundId: object.id,
        refundId: object.metadata?.refund_id ?? null,
        status: refundStatus(object.status),
        failureReason: object.failure_reason ?? null,
        intentId: idOf(object.payment_intent),
        customerId: idOf(object.customer),
        amountMinor: BigInt(object.amount),
        currency: object.currency.toUpperCase(),
        type: event.type,
      }
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'charge.dispute.funds_withdrawn':
    case 'charge.dispute.funds_reinstated':
      return toChargebackEvent(event, event.data.object)
    case 'cash_balance.funds_available':
      return { kind: 'unapplied', id: event.id, type: event.type, customerId: event.data.object.customer }
    case 'customer_cash_balance_transaction.created':
      return toCashEvent(event, event.data.object)
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return { kind: 'subscription', id: event.id, type: event.type, subscriptionId: event.data.object.id }
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
    case 'invoice.voided':
    case 'invoice.marked_uncollectible':
      return toInvoiceEvent(event, event.data.object)
    case 'account.updated':
      return { kind: 'account', id: event.id, type: event.type, accountId: event.data.object.id }
    case 'payout.created':
    case 'payout.updated':
    case 'payout.paid':
    case 'payout.failed':
    case 'payout.canceled': {
      const { object } = event.data
      return {
        ...toSentPayout(object),
        kind: 'payout',
        id: event.id,
        type: event.type,
        accountId: event.account ?? null,
        payoutId: object.metadata?.payout_id ?? null,
        createdAt: new Date(object.created * 1000),
      }
    }
    case 'transfer.reversed': {
      const { id: transferId, transfer_group: group } = event.data.object
      return { kind: 'transfer_reversed', id: event.id, type: event.type, transferId, group }
    }
    case 'account.external_account.created':
    case 'account.external_account.updated':
    case 'account.external_account.deleted':
      return event.account
        ? { kind: 'account', id: event.id, type: event.type, accountId: event.account }
        : { kind: 'unhandled', id: event.id, type: event.type }
    default:
      return { kind: REPETITIONS.has(event.type) ? 'repetition' : 'unhandled', id: event.id, type: event.type }
  }
}

/**
 * A movement of the money that the provider keeps for a payer. Two kinds matter: a payment has given its money back, which no payment takes
 * any more; and a bank has taken a transfer back, whose money we may owe the payer. Other movements are ignored, also a transfer that arrives:
 * a payment may take its money a moment later, and `cash_balance.funds_available` says what is left.
 */
function toCashEvent(
  { id, type }: Stripe.Event,
  move: Stripe.CustomerCashBalanceTransaction,
): UnappliedEvent | TransferTakenBackEvent | OtherEvent {
  const customerId = idOf(move.customer)
  if (customerId !== null && move.type === 'funding_reversed')
    return { kind: 'transfer_taken_back', id, type, customerId }
  return customerId !== null && move.type === 'unapplied_from_payment'
    ? { kind: 'unapplied', id, type, customerId }
    : { kind: 'repetition', id, type }
}

function toInvoiceEvent({ id, type }: Stripe.Event, { parent }: Stripe.Invoice): SubscriptionEvent | OtherEvent {
  const subscriptionId = idOf(parent?.subscription_details?.subscription)
  // An invoice that an operator made at the provider by hand belongs to no subscription.
  return subscriptionId === null ? { kind: 'unhandled', id, type } : { kind: 'subscription', id, type, subscriptionId }
}

function toChargebackEvent({ id: eventId, type, created }: Stripe.Event, dispute: Stripe.Dispute): ChargebackEvent {
  const movements = dispute.balance_transactions ?? []
  const isLost = dispute.status === 'lost'
  // The money says who has won, also in a later event that repeats the first decision.
  const isAllBack = isLost && sumOf(movements) === 0
  return {
    kind: 'chargeback',
    eventId,
    type,
    id: dispute.id,
    intentId: idOf(dispute.payment_intent),
    ...takenBy(dispute, movements),
    fee: feeOf(movements),
    asOf: new Date(created * 1000),
    isPartlyBack: isLost && type === 'charge.dispute.funds_reinstated' && !isAllBack,
    ...chargebackState(isAllBack ? 'won' : dispute.status),
    // The bank takes the money again after it had decided for us. Who keeps it is not said yet.
    ...(type === 'charge.dispute.funds_withdrawn' && dispute.status === 'won' && { status: 'open' }),
  }
}

/**
 * What a bank has taken from our balance, in its currency. A bank may ask in another currency than the payment has: then the provider converts
 * it, and its first movement says what we lost. Before the provider has moved money, only what the bank asks for is known.
 */
function takenBy({ amount, currency }: Stripe.Dispute, [first]: readonly Stripe.BalanceTransaction[]) {
  const isConverted = first !== undefined && first.currency !== currency && first.amount < 0
  return isConverted
    ? { amountMinor: BigInt(-first.amount), currency: first.currency.toUpperCase() }
    : { amountMinor: BigInt(amount), currency: currency.toUpperCase() }
}

/** What the movements of a chargeback have left of our balance's loss: zero when all of it has come back, and null without any movement. */
const sumOf = (movements: readonly Stripe.BalanceTransaction[]): number | null =>
  movements.length > 0 ? movements.reduce((sum, { amount }) => sum + amount, 0) : null

function feeOf(movements: readonly Stripe.BalanceTransaction[]): ChargebackFee | null {
  const [first] = movements
  if (!first) return null
  const amountMinor = BigInt(movements.reduce((sum, { fee }) => sum + fee, 0))
  return { amountMinor, currency: first.currency.toUpperCase(), movements: movements.length }
}

/** Our status for Stripe's status of a dispute. An inquiry has the prefix `warning_` and takes no money. */
function chargebackState(status: Stripe.Dispute.Status): Pick<Chargeback, 'status' | 'withdrawn'> {
  switch (status) {
    case 'won':
      return { status: 'won', withdrawn: true }
    case 'lost':
      return { status: 'lost', withdrawn: true }
    case 'warning_needs_response':
    case 'warning_under_review':
      return { status: 'inquiry', withdrawn: false }
    case 'warning_closed':
    case 'prevented':
      return { status: 'won', withdrawn: false }
    default:
      return { status: 'open', withdrawn: true }
  }
}
