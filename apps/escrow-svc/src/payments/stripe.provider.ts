import { DomainError } from '@holdfast/kernel/errors'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import Stripe from 'stripe'
import type { EscrowConfig } from '../config.js'
import { type Intent, type ProviderEvent, refundStatus, toIntent, toProviderEvent } from './provider-words.js'

const REQUEST_TIMEOUT_MS = 10_000
/** The SDK repeats a call under the same idempotency key, so a repeat never charges twice. */
const NETWORK_RETRIES = 2
/** More refunds than one payment of ours ever has. */
const MAX_REFUNDS = 100
/** A webhook older than this is refused, however well it is signed (Stripe's own default). */
const SIGNATURE_TOLERANCE_SECONDS = 300

/**
 * Stripe, by its own SDK. At home the same SDK speaks to the sandbox: only the host differs. Every writing call bears
 * one of our ids as its idempotency key, so asking again is how one finds out what happened.
 */
@Injectable()
export class StripeProvider {
  private readonly log = loggerOf('stripe')
  private readonly stripe: Stripe

  constructor(@Inject(CONFIG) private readonly config: EscrowConfig) {
    const { STRIPE_API_URL: apiUrl } = config
    this.stripe = new Stripe(config.STRIPE_SECRET_KEY, {
      timeout: REQUEST_TIMEOUT_MS,
      maxNetworkRetries: NETWORK_RETRIES,
      telemetry: false,
      ...(apiUrl && hostOf(apiUrl)),
    })
  }

  /**
   * Creates the intent of a payment, or finds the one that was created under the same id.
   *
   * @throws PaymentRefused when the provider never takes such a payment: nothing was created, nothing ever will be
   */
  async createIntent(payment: {
    id: string
    transactionId: number
    amountMinor: bigint
    currency: string
  }): Promise<Intent> {
    const created = await this.ask(() =>
      refusing(() =>
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

  /** Sends a payment back. The same refund asked again is the same refund, also once the provider forgot its key. */
  async refund(refund: { id: string; intentId: string; amountMinor: bigint }) {
    const sent = await this.ask(() => this.createRefund(refund))
    return { providerRefundId: sent.id, status: refundStatus(sent.status) }
  }

  private async createRefund(refund: { id: string; intentId: string; amountMinor: bigint }): Promise<Stripe.Refund> {
    try {
      return await this.stripe.refunds.create(
        { payment_intent: refund.intentId, amount: Number(refund.amountMinor), metadata: { refund_id: refund.id } },
        { idempotencyKey: refund.id },
      )
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error
      // Keys are forgotten after a day: a refund that was sent, and whose answer never came, is known by our id in it.
      const { data } = await this.stripe.refunds.list({ payment_intent: refund.intentId, limit: MAX_REFUNDS })
      const ours = data.find(each => each.metadata?.refund_id === refund.id)
      if (!ours) throw error
      return ours
    }
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
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`; `MALFORMED_REQUEST` for an event that is not as Stripe's API says,
   * which Stripe sends again
   */
  readEvent(raw: Buffer, signature: string | undefined): ProviderEvent {
    const { STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_SECRET_KEY: key } = this.config
    let event: Stripe.Event
    try {
      event = this.stripe.webhooks.constructEvent(raw, signature ?? '', webhookSecret, SIGNATURE_TOLERANCE_SECONDS)
    } catch (error) {
      this.log.warn({ err: error }, 'a webhook was refused')
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
    }
    if (event?.livemode !== key.includes('_live_')) {
      this.log.error({ eventId: event?.id }, 'an event of the other mode was signed with our secret')
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
    }
    try {
      return toProviderEvent(event)
    } catch (error) {
      this.log.error({ err: error, eventId: event.id, type: event.type }, 'a signed event cannot be read')
      throw new DomainError('MALFORMED_REQUEST')
    }
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

/** The provider does not take a payment like this, however often it is asked. The message is its own. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
}

async function refusing<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new PaymentRefused(error.message)
    throw error
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
