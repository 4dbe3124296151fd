import { DomainError } from '@holdfast/kernel/errors'
import type { Currency } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import Stripe from 'stripe'
import type { EscrowConfig } from '../config.js'
import { PlatformAccount } from '../provider/platform-account.js'
import { AttemptFailed, callProvider, isLiveKey, isMissing, isStoredError, keyOf } from '../provider/stripe-calls.js'
import { readSigned } from '../webhook-secrets.js'
import { ACCOUNT_FEES, type AccountFee, type BalanceChanges, toAccountFee } from './balance-changes.js'
import { checkEventForm } from './event-form.js'
import { type ProviderCharge, toCharge } from './provider-charge.js'
import { type ProviderEvent, toProviderEvent } from './provider-events.js'
import { type Intent, idOf, refundStatus, toIntent } from './provider-objects.js'

/** A payment never has more refunds than this. */
const MAX_REFUNDS = 100
/** How many results of a search Stripe sends at once, and the most that its SDK collects. */
const SEARCH_PAGE = 100
const MAX_INTENTS = 10_000
/** How many movements of our balance Stripe sends at once, at most. */
const LIST_PAGE = 100
/** An event whose signature is older than this is refused (Stripe's default). */
const SIGNATURE_TOLERANCE_SECONDS = 300

/**
 * Stripe, through its SDK. In development the SDK calls the sandbox: only the host differs. Every call that creates
 * something has one of our ids as its idempotency key, so it can be repeated when its outcome is unknown.
 */
@Injectable()
export class StripeProvider {
  private readonly log = loggerOf('stripe')
  private readonly stripe: Stripe

  constructor(
    @Inject(CONFIG) private readonly config: EscrowConfig,
    account: PlatformAccount,
  ) {
    this.stripe = account.client
  }

  /**
   * Creates the intent of a payment, or finds the one that was created by the same attempt.
   *
   * @param payment `payerEmail` is the address of a payer by bank. Without it the provider may refuse to give their money back
   * @throws AttemptFailed when the provider has answered this attempt with an error of its own
   * @throws PaymentRefused when the provider never accepts such a payment, so that no intent will ever exist
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async createIntent(payment: {
    id: string
    transactionId: number
    amountMinor: bigint
    currency: Currency
    attempt: number
    method: PaymentMethod
    payerEmail: string | null
  }): Promise<Intent> {
    const created = await callProvider(() =>
      refusing(async () =>
        this.stripe.paymentIntents.create(
          {
            amount: Number(payment.amountMinor),
            currency: payment.currency.toLowerCase(),
            ...(payment.method === 'bank' ? await this.byTransfer(payment) : { payment_method_types: ['card'] }),
            description: `Holdfast transaction #${payment.transactionId}`,
            metadata: { payment_id: payment.id, transaction_id: String(payment.transactionId) },
          },
          { idempotencyKey: keyOf(payment.id, payment.attempt) },
        ),
      ),
    )
    return toIntent(created)
  }

  /**
   * What makes an intent one that is paid by bank transfer. Each payment has a payer of its own at the provider, and so an account
   * of its own: every transfer that arrives there is for this payment, whatever reference the buyer's bank sends.
   */
  private async byTransfer(payment: { id: string; attempt: number; payerEmail: string | null }) {
    const { id, attempt, payerEmail } = payment
    const { id: customer } = await this.stripe.customers.create(
      { metadata: { payment_id: id } },
      { idempotencyKey: `${keyOf(id, attempt)}:payer` },
    )
    // Not a part of the creation: that must send the same when it is repeated, and the buyer's address may have changed.
    if (payerEmail !== null) await this.stripe.customers.update(customer, { email: payerEmail })
    return {
      customer,
      confirm: true,
      payment_method_types: ['customer_balance'],
      payment_method_data: { type: 'customer_balance' },
      payment_method_options: {
        customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'us_bank_transfer' } },
      },
    } satisfies Partial<Stripe.PaymentIntentCreateParams>
  }

  /**
   * Gives the payer of a payment by bank an address. Nothing else of the payer is changed.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async setAddress(customerId: string, email: string): Promise<void> {
    await callProvider(() => this.stripe.customers.update(customerId, { email }))
  }

  /**
   * Takes the address from the payers of a payment by bank: each attempt to create its intent has made one.
   *
   * @param customerId the payer of the attempt that succeeded, if it is known; the others are searched for
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async eraseAddresses(paymentId: string, customerId: string | null): Promise<void> {
    await callProvider(async () => {
      const payers = new Set(customerId === null ? [] : [customerId])
      for await (const { id } of this.stripe.customers.search(madeFor(paymentId))) payers.add(id)
      for (const id of payers) {
        try {
          await this.stripe.customers.update(id, { email: '' })
        } catch (error) {
          // One that was deleted in the provider's dashboard has no address any more.
          if (!isMissing(error)) throw error
        }
      }
    })
  }

  /**
   * What has arrived from a payer, less what payments took, in minor units. What was returned since counts as arrived: so the sum
   * never falls, and a caller that knows what it has booked of it also knows what is new.
   *
   * @param unpaidRefunds refunds of a payment whose money does not count when it comes back here: it is still booked as a refund
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async unappliedOf(
    customerId: string,
    unpaidRefunds: readonly string[],
  ): Promise<{ readonly amountMinor: bigint; readonly currency: string } | null> {
    return callProvider(async () => {
      let amountMinor = 0n
      let currency: string | null = null
      for await (const each of this.stripe.customers.listCashBalanceTransactions(customerId, { limit: LIST_PAGE })) {
        const refund = idOf(each.refunded_from_payment?.refund)
        if (!MOVES_OF_PAYMENTS.has(each.type) || (refund !== null && unpaidRefunds.includes(refund))) continue
        amountMinor += BigInt(each.net_amount)
        currency = each.currency.toUpperCase()
      }
      return currency === null ? null : { amountMinor, currency }
    })
  }

  /**
   * What a payer's bank has taken back of their transfers, and what the provider still keeps for the payer, in minor units.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async takenBackOf(customerId: string): Promise<{ readonly takenMinor: bigint; readonly keptMinor: bigint }> {
    return callProvider(async () => {
      let takenMinor = 0n
      let keptMinor = 0n
      for await (const { type, net_amount: net } of this.stripe.customers.listCashBalanceTransactions(customerId, {
        limit: LIST_PAGE,
      })) {
        keptMinor += BigInt(net)
        if (type === 'funding_reversed') takenMinor -= BigInt(net)
      }
      return { takenMinor, keptMinor }
    })
  }

  /**
   * All intents that were created for a payment: each failed attempt may have made one, and the attempts have no limit. A new
   * intent may be missing from Stripe's search for up to a minute.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async findIntents(paymentId: string): Promise<Intent[]> {
    const found = await callProvider(() =>
      this.stripe.paymentIntents.search(madeFor(paymentId)).autoPagingToArray({ limit: MAX_INTENTS }),
    )
    return found.map(toIntent)
  }

  /** The intent as the provider has it now. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async getIntent(intentId: string): Promise<Intent> {
    return toIntent(await callProvider(() => this.stripe.paymentIntents.retrieve(intentId)))
  }

  /** Cancels an intent. One that can no longer be cancelled, such as one that has succeeded, is returned as it is. */
  async cancelIntent(intentId: string): Promise<Intent> {
    try {
      return toIntent(await callProvider(() => this.stripe.paymentIntents.cancel(intentId)))
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return this.getIntent(intentId)
      throw error
    }
  }

  /**
   * Refunds a payment. A repeated call finds the same refund, even after the provider has dropped its idempotency key; of unapplied money only
   * among the newest hundred refunds. What is found may have another amount: ours was reduced after it had been sent.
   *
   * @returns `amountMinor` is what the provider sends
   * @throws AttemptFailed when the provider has refused this attempt, or answered with an error of its own, and has no refund.
   * Stripe answers the same under the same key for a day, so the next attempt needs a key of its own
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async refund(refund: RefundToSend) {
    const sent = await callProvider(() => this.createRefund(refund))
    return {
      providerRefundId: sent.id,
      status: refundStatus(sent.status),
      failureReason: sent.failure_reason ?? null,
      amountMinor: BigInt(sent.amount),
    }
  }

  /** A refund as the provider has it now. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`, or Stripe's refusal */
  async getRefund(providerRefundId: string) {
    const found = await callProvider(() => this.stripe.refunds.retrieve(providerRefundId))
    return { providerRefundId, status: refundStatus(found.status), failureReason: found.failure_reason ?? null }
  }

  private async createRefund(refund: RefundToSend): Promise<Stripe.Refund> {
    // Stripe drops idempotency keys after a day, and refunds a part of a payment a second time when it is asked under a new key.
    const before = await this.findRefund(refund)
    if (before) return before
    try {
      return await this.stripe.refunds.create(
        {
          ...(refund.unappliedOf === null
            ? { payment_intent: refund.intentId }
            : {
                customer: refund.unappliedOf,
                currency: refund.currency.toLowerCase(),
                origin: 'customer_balance' as const,
              }),
          amount: Number(refund.amountMinor),
          metadata: { refund_id: refund.id },
        },
        { idempotencyKey: keyOf(refund.id, refund.attempt) },
      )
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError) && !isStoredError(error)) throw error
      // An error may have come after the work.
      const made = await this.findRefund(refund)
      if (!made) throw new AttemptFailed(error.message)
      return made
    }
  }

  /** A refund of ours that has not failed. It is found by our id in its metadata. */
  private async findRefund({ id, intentId, unappliedOf }: RefundToSend): Promise<Stripe.Refund | undefined> {
    const { data } = await this.stripe.refunds.list({
      ...(unappliedOf === null && { payment_intent: intentId }),
      limit: MAX_REFUNDS,
    })
    return data.find(each => each.metadata?.refund_id === id && refundStatus(each.status) !== 'failed')
  }

  /** What the provider knows of a charge beyond its payment. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async chargeOf(chargeId: string): Promise<ProviderCharge> {
    const charge = await callProvider(() => this.stripe.charges.retrieve(chargeId, { expand: ['balance_transaction'] }))
    return toCharge(charge)
  }

  /**
   * How our balance at the provider has changed from one time until another.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async balanceChanges(from: Date, until: Date): Promise<BalanceChanges> {
    const created = { gte: from.getTime() / 1000, lt: until.getTime() / 1000 }
    return callProvider(async () => {
      const sums = new Map<Currency, bigint>()
      const accountFees: AccountFee[] = []
      for await (const change of this.stripe.balanceTransactions.list({ created, limit: LIST_PAGE })) {
        const currency = change.currency.toUpperCase() as Currency
        sums.set(currency, (sums.get(currency) ?? 0n) + BigInt(change.net))
        if (ACCOUNT_FEES.has(change.type)) accountFees.push(toAccountFee(change))
      }
      return { sums, accountFees }
    })
  }

  /**
   * Reads a webhook event. Stripe must have signed it with our secret within the last 300 seconds.
   *
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`; `MALFORMED_REQUEST` for a signed event that does not follow Stripe's
   * API. Stripe sends both again
   */
  readEvent(raw: Buffer, signature: string | undefined): ProviderEvent {
    const event = this.verified(raw, signature)
    const { STRIPE_SECRET_KEY: key } = this.config
    if (event?.livemode !== isLiveKey(key)) {
      // To the endpoint of connected accounts Stripe sends the events of test mode, too, and repeats those that are refused.
      if (event?.account) return { kind: 'other_mode', id: event.id, type: event.type }
      this.log.error({ eventId: event?.id }, 'an event of the other mode (live or test) was signed with our secret')
      throw new DomainError('WEBHOOK_SIGNATURE_INVALID')
    }
    try {
      checkEventForm(event)
      return toProviderEvent(event)
    } catch (error) {
      this.log.error({ err: error, eventId: event.id, type: event.type }, 'a signed event cannot be read')
      throw new DomainError('MALFORMED_REQUEST')
    }
  }

  /** The event, if one of our webhooks' secrets has signed it. @throws DomainError `WEBHOOK_SIGNATURE_INVALID` */
  private verified(raw: Buffer, signature: string | undefined): Stripe.Event {
    const { STRIPE_WEBHOOK_SECRET, STRIPE_CONNECT_WEBHOOK_SECRET } = this.config
    return readSigned({ STRIPE_WEBHOOK_SECRET, STRIPE_CONNECT_WEBHOOK_SECRET }, secret =>
      this.stripe.webhooks.constructEvent(raw, signature ?? '', secret, SIGNATURE_TOLERANCE_SECONDS),
    )
  }
}

/** The movements of a payer's money that are no returns to the payer. */
const MOVES_OF_PAYMENTS: ReadonlySet<string> = new Set([
  'funded',
  'applied_to_payment',
  'unapplied_from_payment',
  'refunded_from_payment',
])

/** A refund to send. Each attempt has an idempotency key of its own. */
interface RefundToSend {
  readonly id: string
  readonly intentId: string
  /** The payer to whom money goes back that no payment took; null for a refund of a payment. */
  readonly unappliedOf: string | null
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly attempt: number
}

/** The provider will never accept this payment. The message is the provider's. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
}

/** Turns the provider's refusal of a request into `PaymentRefused`, and an error of its own into `AttemptFailed`. */
async function refusing<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) throw new PaymentRefused(error.message)
    if (isStoredError(error)) throw new AttemptFailed(error.message)
    throw error
  }
}

/** Searches for what the attempts to create the intent of a payment have made: each names the payment in its metadata. */
const madeFor = (paymentId: string) => ({ query: `metadata['payment_id']:'${paymentId}'`, limit: SEARCH_PAGE })
