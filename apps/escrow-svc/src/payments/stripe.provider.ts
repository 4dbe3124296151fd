import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/logging'
import { Injectable } from '@nestjs/common'
import Stripe from 'stripe'
import { Settings } from '../settings.js'

const REQUEST_TIMEOUT_MS = 10_000
/** The SDK repeats a call under the same idempotency key, so a repeat never charges twice. */
const NETWORK_RETRIES = 2
/** A webhook older than this is refused, however well it is signed (Stripe's own default). */
const SIGNATURE_TOLERANCE_SECONDS = 300

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

/**
 * Stripe, by its own SDK. At home the same SDK speaks to the sandbox: only the host differs. Every writing call bears
 * one of our ids as its idempotency key, so asking again is how one finds out what happened.
 */
@Injectable()
export class StripeProvider {
  private readonly log = loggerOf('stripe')
  private readonly stripe: Stripe

  constructor(private readonly settings: Settings) {
    const { apiUrl, secretKey } = settings.payments
    this.stripe = new Stripe(secretKey, {
      timeout: REQUEST_TIMEOUT_MS,
      maxNetworkRetries: NETWORK_RETRIES,
      telemetry: false,
      ...(apiUrl && hostOf(apiUrl)),
    })
  }

  /** Creates the intent of a payment, or finds the one that was created under the same id. */
  async createIntent(payment: {
    id: string
    transactionId: number
    amountMinor: bigint
    currency: string
  }): Promise<Intent> {
    const created = await this.ask(() =>
      this.stripe.paymentIntents.create(
        {
          amount: Number(payment.amountMinor),
          currency: payment.currency.toLowerCase(),
          payment_method_types: ['card'],
          description: `Holdfast transaction #${payment.transactionId}`,
          metadata: { payment_id: payment.id, transaction_id: String(payment.transactionId) },
        },
        { idempotencyKey: payment.id },
      ),
    )
    return toIntent(created)
  }

  /** The truth about an intent. */
  async getIntent(intentId: string): Promise<Intent> {
    return toIntent(await this.ask(() => this.stripe.paymentIntents.retrieve(intentId)))
  }

  /** Cancels an intent, or says what became of it instead: one that has succeeded cannot be cancelled. */
  async cancelIntent(intentId: string): Promise<Intent> {
    try {
      return toIntent(await this.ask(() => this.stripe.paymentIntents.cancel(intentId)))
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return this.getIntent(intentId)
      throw error
    }
  }

  /** Sends a payment back. The same refund asked again is the same refund. */
  async refund(refund: { id: string; intentId: string; amountMinor: bigint }) {
    const created = await this.ask(() =>
      this.stripe.refunds.create(
        { payment_intent: refund.intentId, amount: Number(refund.amountMinor), metadata: { refund_id: refund.id } },
        { idempotencyKey: refund.id },
      ),
    )
    return { providerRefundId: created.id, status: refundStatus(created.status) }
  }

  /** What the provider kept of a charge, in minor units; null while it does not know yet. */
  async feeOf(chargeId: string): Promise<bigint | null> {
    const charge = await this.ask(() => this.stripe.charges.retrieve(chargeId, { expand: ['balance_transaction'] }))
    const balance = charge.balance_transaction
    return balance && typeof balance === 'object' ? BigInt(balance.fee) : null
  }

  /**
   * Reads a webhook. Only what Stripe signed with our secret within the last 300 s is read at all.
   *
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`
   */
  readEvent(raw: Buffer, signature: string | undefined): ProviderEvent {
    const { webhookSecret, livemode } = this.settings.payments
    let event: Stripe.Event
    try {
      event = this.stripe.webhooks.constructEvent(raw, signature ?? '', webhookSecret, SIGNATURE_TOLERANCE_SECONDS)
    } catch (error) {
      this.log.warn({ err: error }, 'a webhook was refused')
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
    }
    if (event.livemode !== livemode) {
      this.log.error({ eventId: event.id }, 'an event of the other mode was signed with our secret')
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
    }
    return toProviderEvent(event)
  }

  /** Turns "could not reach the provider" into a refusal that says so; what the provider refuses stays as it is. */
  private async ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      if (!isPassing(error)) throw error
      this.log.warn({ err: error }, 'the provider could not be reached, or could not say')
      throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
    }
  }
}

const isPassing = (error: unknown) =>
  error instanceof Stripe.errors.StripeConnectionError ||
  error instanceof Stripe.errors.StripeAPIError ||
  error instanceof Stripe.errors.StripeRateLimitError ||
  error instanceof Stripe.errors.StripeIdempotencyError

function hostOf(apiUrl: string) {
  const { hostname, port, protocol } = new URL(apiUrl)
  const http = protocol === 'http:'
  return { host: hostname, port: port || (http ? 80 : 443), protocol: http ? ('http' as const) : ('https' as const) }
}

function toIntent(intent: Stripe.PaymentIntent): Intent {
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

function toProviderEvent(event: Stripe.Event): ProviderEvent {
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

function refundStatus(status: string | null): 'sent' | 'confirmed' | 'failed' {
  return status === 'succeeded' ? 'confirmed' : status === 'failed' || status === 'canceled' ? 'failed' : 'sent'
}
