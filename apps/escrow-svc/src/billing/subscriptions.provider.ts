import { MAX_INVOICES_SHOWN } from '@holdfast/kernel/subscriptions'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import type Stripe from 'stripe'
import { idOf } from '../payments/provider-objects.js'
import { PlatformAccount } from '../provider/platform-account.js'
import { callProvider, isMissing, isRefusal, keyOf } from '../provider/stripe-calls.js'
import {
  hasEnded,
  type ProviderInvoice,
  type ProviderReturns,
  type ProviderSubscription,
  toInvoice,
  toReturns,
  toSubscription,
} from './billing-objects.js'
import { PREMIUM, PremiumPrices, type PriceWanted } from './premium-prices.js'
import { attempted, changeUnlessOver } from './provider-calls.js'

/** How many subscriptions of a user are looked through for one of ours. */
const MAX_SUBSCRIPTIONS = 100
/** How many refunds and disputes of one payment are read. More of one invoice is a fault. */
const MAX_RETURNS = 100

/** A subscription to create at the provider. */
interface SubscriptionToCreate extends PriceWanted {
  readonly id: string
  readonly customerId: string
  readonly attempt: number
}

/** The newest invoices of a subscription. */
export interface ProviderInvoices {
  readonly invoices: readonly ProviderInvoice[]
  /** Whether a draft waits: the provider makes it final and charges the card about an hour after a period began. */
  readonly hasDraft: boolean
}

/** Stripe Billing, through Stripe's SDK. In development the SDK calls the sandbox: only the host differs. */
@Injectable()
export class SubscriptionsProvider {
  private readonly log = loggerOf('subscriptions')
  private readonly stripe: Stripe

  constructor(
    account: PlatformAccount,
    private readonly prices: PremiumPrices,
  ) {
    this.stripe = account.client
  }

  /**
   * Creates a subscription that begins when its first invoice is paid, or finds the one that the same attempt has created.
   *
   * @throws AttemptFailed; DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async createSubscription(subscription: SubscriptionToCreate): Promise<string> {
    const { id, customerId, attempt } = subscription
    const idempotencyKey = keyOf(id, attempt)
    const price = await this.prices.idOf(subscription, idempotencyKey)
    try {
      const made = await attempted(() =>
        this.stripe.subscriptions.create(
          {
            customer: customerId,
            items: [{ price }],
            description: PREMIUM.name,
            payment_behavior: 'default_incomplete',
            payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
            metadata: { subscription_id: id },
          },
          { idempotencyKey },
        ),
      )
      return made.id
    } catch (error) {
      this.prices.forget(subscription)
      throw error
    }
  }

  /** The provider's id of a subscription of ours; null when it has none. */
  async findSubscription(customerId: string, id: string): Promise<string | null> {
    const { data } = await callProvider(() =>
      this.stripe.subscriptions.list({ customer: customerId, status: 'all', limit: MAX_SUBSCRIPTIONS }),
    )
    return data.find(({ metadata }) => metadata.subscription_id === id)?.id ?? null
  }

  /** A subscription as the provider has it now. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async getSubscription(subscriptionId: string): Promise<ProviderSubscription> {
    const expand = ['default_payment_method']
    return toSubscription(await callProvider(() => this.stripe.subscriptions.retrieve(subscriptionId, { expand })))
  }

  /** The newest invoices of a subscription, without drafts. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async listInvoices(subscriptionId: string): Promise<ProviderInvoices> {
    const wanted = { subscription: subscriptionId, limit: MAX_INVOICES_SHOWN, expand: ['data.payments'] }
    const { data } = await callProvider(() => this.stripe.invoices.list(wanted))
    const final = data.filter(({ status }) => status !== 'draft')
    return { invoices: final.map(toInvoice), hasDraft: final.length < data.length }
  }

  /** The secret with which the browser pays an invoice; null when nothing can be paid. */
  async secretOf(invoiceId: string): Promise<string | null> {
    const expand = ['confirmation_secret']
    const invoice = await callProvider(() => this.stripe.invoices.retrieve(invoiceId, { expand }))
    return invoice.status === 'open' ? (invoice.confirmation_secret?.client_secret ?? null) : null
  }

  /** Lets a subscription end with its period, or go on. @returns false when the provider has ended it already */
  async setCancelAtPeriodEnd(subscriptionId: string, cancels: boolean): Promise<boolean> {
    return this.unlessEnded(subscriptionId, () =>
      this.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: cancels }),
    )
  }

  /** Ends a subscription at once. Its open invoices stay open. Does nothing when it has ended already. */
  async endSubscription(subscriptionId: string): Promise<void> {
    await this.unlessEnded(subscriptionId, () => this.stripe.subscriptions.cancel(subscriptionId))
  }

  /**
   * Cancels a subscription whose latest invoice is not paid. The invoice is voided first: a payment that is being confirmed either
   * succeeds before that, or fails. So no user pays for a subscription that has ended. An invoice that is still a draft does not become
   * final any more.
   *
   * @returns false when the payment came first or is under way: then the subscription goes on
   */
  async cancelUnpaid(subscriptionId: string): Promise<boolean> {
    const { invoices, hasDraft } = await this.listInvoices(subscriptionId)
    if (!hasDraft && invoices[0]?.status === 'paid') return false
    const kept = await this.voidAll(invoices)
    if (kept.length > 0) return false
    await this.endSubscription(subscriptionId)
    return true
  }

  /** Voids the open invoices of a subscription. @returns those that the provider refuses to void: as they are now, open or paid */
  async voidOpen(subscriptionId: string): Promise<ProviderInvoice[]> {
    const { invoices } = await this.listInvoices(subscriptionId)
    return this.voidAll(invoices)
  }

  /** The provider's fee of a payment, in its own currency; null while the provider does not know it yet. */
  async feeOf(intentId: string): Promise<{ readonly feeMinor: bigint; readonly currency: string } | null> {
    const expand = ['latest_charge.balance_transaction']
    const { latest_charge: charge } = await callProvider(() =>
      this.stripe.paymentIntents.retrieve(intentId, { expand }),
    )
    const balance = charge && typeof charge === 'object' ? charge.balance_transaction : null
    if (!balance || typeof balance !== 'object') return null
    return { feeMinor: BigInt(balance.fee), currency: balance.currency.toUpperCase() }
  }

  /** The customer for whom a payment was made; null for none, and for a payment that the provider does not have. */
  async findCustomer(intentId: string): Promise<string | null> {
    try {
      return idOf((await callProvider(() => this.stripe.paymentIntents.retrieve(intentId))).customer)
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }

  /** What went back of a payment. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async returnsOf(intentId: string): Promise<ProviderReturns> {
    const ofPayment = { payment_intent: intentId, limit: MAX_RETURNS }
    const refunds = await callProvider(() => this.stripe.refunds.list(ofPayment))
    const disputes = await callProvider(() => this.stripe.disputes.list(ofPayment))
    if (refunds.has_more || disputes.has_more)
      throw new Error(`${intentId} has more than ${MAX_RETURNS} refunds or disputes`)
    return toReturns(refunds.data, disputes.data)
  }

  private async voidAll(invoices: readonly ProviderInvoice[]): Promise<ProviderInvoice[]> {
    const kept: ProviderInvoice[] = []
    for (const { id, status } of invoices) {
      if (status !== 'open') continue
      const after = await this.voidInvoice(id)
      if (after.status !== 'void') kept.push(after)
    }
    return kept
  }

  /** Voids an invoice. A refusal does not say why, so after one the invoice is read again. */
  private async voidInvoice(invoiceId: string): Promise<ProviderInvoice> {
    try {
      return toInvoice(await callProvider(() => this.stripe.invoices.voidInvoice(invoiceId, PAYMENTS)))
    } catch (error) {
      if (!isRefusal(error)) throw error
      const invoice = toInvoice(await callProvider(() => this.stripe.invoices.retrieve(invoiceId, PAYMENTS)))
      this.log.warn({ err: error, invoiceId, status: invoice.status }, 'the provider refuses to void an invoice')
      return invoice
    }
  }

  private unlessEnded(subscriptionId: string, change: () => Promise<unknown>): Promise<boolean> {
    return changeUnlessOver(change, async () => hasEnded(await this.stripe.subscriptions.retrieve(subscriptionId)))
  }
}

const PAYMENTS = { expand: ['payments'] }
