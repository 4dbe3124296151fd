/** What Stripe says, reduced to what we act on: its own types end here. */
import type Stripe from 'stripe'

export interface Intent {
  readonly id: string
  readonly clientSecret: string | null
  readonly state: 'open' | 'processing' | 'succeeded' | 'cancelled'
  readonly chargeId: string | null
  /** What has arrived, in minor units. */
  readonly receivedMinor: bigint
  readonly currency: string
}

/** What a signed event says of an intent. */
export interface IntentEvent {
  readonly kind: 'succeeded' | 'failed' | 'processing' | 'cancelled'
  readonly id: string
  readonly type: string
  readonly intent: Intent
  /** Our payment's id, as we wrote it into the intent; null for an intent that is not ours. */
  readonly paymentId: string | null
  readonly declineReason: string | null
}

/** What a signed event says of a refund. */
export interface RefundEvent {
  readonly kind: 'refund'
  readonly id: string
  readonly type: string
  readonly providerRefundId: string
  /** Our refund's id; null for one that an operator made at the provider. */
  readonly refundId: string | null
  readonly status: 'sent' | 'confirmed' | 'failed'
}

/** A signed event, reduced to what we act on. */
export type ProviderEvent =
  | IntentEvent
  | RefundEvent
  | { readonly kind: 'other'; readonly id: string; readonly type: string }

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
        type: event.type,
        providerRefundId: object.id,
        refundId: object.metadata?.refund_id ?? null,
        status: refundStatus(object.status),
      }
    }
    default:
      return { kind: 'other', id: event.id, type: event.type }
  }
}

export function refundStatus(status: string | null): 'sent' | 'confirmed' | 'failed' {
  return status === 'succeeded' ? 'confirmed' : status === 'failed' || status === 'canceled' ? 'failed' : 'sent'
}
