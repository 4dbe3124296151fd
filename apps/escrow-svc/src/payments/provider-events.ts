/** Stripe's intents and events, reduced to what we use. Stripe's own types stay here and in `stripe.provider.ts`. */
import type { RefundStatus } from '@holdfast/kernel/payments'
import type Stripe from 'stripe'

/** A payment intent: the provider's side of a payment. */
export interface Intent {
  readonly id: string
  readonly clientSecret: string | null
  readonly state: 'open' | 'processing' | 'succeeded' | 'cancelled'
  readonly chargeId: string | null
  /** The money that has arrived, in minor units. */
  readonly receivedMinor: bigint
  readonly currency: string
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
}

/** The statuses of a refund that the provider knows of. */
export type SentRefundStatus = Exclude<RefundStatus, 'due'>

/** A signed event. We do nothing on an `other` one. */
export type ProviderEvent = IntentEvent | RefundEvent | { readonly kind: 'other' }

/** Reads Stripe's intent. */
export function toIntent(intent: Stripe.PaymentIntent): Intent {
  const charge = intent.latest_charge
  return {
    id: intent.id,
    clientSecret: intent.client_secret,
    state: INTENT_STATES[intent.status] ?? 'open',
    chargeId: typeof charge === 'string' ? charge : (charge?.id ?? null),
    receivedMinor: BigInt(intent.amount_received),
    currency: intent.currency.toUpperCase(),
  }
}

const INTENT_STATES: Partial<Record<Stripe.PaymentIntent.Status, Intent['state']>> = {
  succeeded: 'succeeded',
  processing: 'processing',
  canceled: 'cancelled',
}

const EVENT_KINDS = {
  'payment_intent.succeeded': 'succeeded',
  'payment_intent.payment_failed': 'failed',
  'payment_intent.processing': 'processing',
  'payment_intent.canceled': 'cancelled',
} as const

/** Reads an event whose signature was verified. */
export function toProviderEvent(event: Stripe.Event): ProviderEvent {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.processing':
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
      }
    }
    default:
      return { kind: 'other' }
  }
}

/** Our status for Stripe's status of a refund. */
export function refundStatus(status: Stripe.Refund['status']): SentRefundStatus {
  switch (status) {
    case 'succeeded':
      return 'confirmed'
    case 'failed':
    case 'canceled':
      return 'failed'
    default:
      return 'sent'
  }
}
