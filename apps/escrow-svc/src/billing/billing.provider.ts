import type { Currency } from '@holdfast/kernel/money'
import { MAX_INVOICES_SHOWN, MAX_SAVED_CARDS, type SubscriptionInterval } from '@holdfast/kernel/subscriptions'
import { Injectable } from '@nestjs/common'
import Stripe from 'stripe'
import { PlatformAccount } from '../provider/platform-account.js'
import { AttemptFailed, callProvider, isStoredError, keyOf, rethrow } from '../provider/stripe-calls.js'
import {
  type ProviderInvoice,
  type ProviderSubscription,
  toInvoice,
  toSavedCard,
  toSubscription,
} from './billing-objects.js'

/** What is sold, under an id of our own. */
const PRODUCT = { id: 'holdfast_premium', name: 'Holdfast Premium' } as const
/** How many subscriptions of a user are looked through for one of ours. */
const MAX_SUBSCRIPTIONS = 100

/** A subscription to create at the provider. */
interface SubscriptionToCreate {
  readonly id: string
  readonly customerId: string
  readonly interval: SubscriptionInterval
  readonly amountMinor: bigint
  readonly currency: Currency
  readonly attempt: number
}

/** Stripe Billing and Stripe's saved cards, through its SDK. In development the SDK calls the sandbox: only the host differs. */
@Injectable()
export class BillingProvider {
  private readonly stripe: Stripe
  /** The provider's ids of the prices that this process has looked up, by their names. */
  private readonly prices = new Map<string, string>()

  constructor(account: PlatformAccount) {
    this.stripe = account.client
  }

  /** Makes a user known to the provider, or finds what the same attempt has made. @throws AttemptFailed; DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async openCustomer(userId: string, attempt: number): Promise<string> {
    const made = await attempted(() =>
      this.stripe.customers.create(
        { metadata: { user_id: userId } },
        { idempotencyKey: keyOf(`${userId}:customer`, attempt) },
      ),
    )
    return made.id
  }

  /**
   * Creates a subscription that begins when its first invoice is paid, or finds the one that the same attempt has created.
   *
   * @throws AttemptFailed; DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async createSubscription(subscription: SubscriptionToCreate): Promise<string> {
    const { id, customerId, attempt } = subscription
    const price = await this.priceOf(subscription)
    const made = await attempted(() =>
      this.stripe.subscriptions.create(
        {
          customer: customerId,
          items: [{ price }],
          description: PRODUCT.name,
          payment_behavior: 'default_incomplete',
          payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
          metadata: { subscription_id: id },
        },
        { idempotencyKey: keyOf(id, attempt) },
      ),
    )
    return made.id
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

  /** The newest invoices of a subscription, drafts left out. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async listInvoices(subscriptionId: string): Promise<ProviderInvoice[]> {
    const wanted = { subscription: subscriptionId, limit: MAX_INVOICES_SHOWN, expand: ['data.payments'] }
    const { data } = await callProvider(() => this.stripe.invoices.list(wanted))
    return data.filter(({ status }) => status !== 'draft').map(toInvoice)
  }

  /** The secret with which the browser pays an invoice; null when nothing can be paid. */
  async secretOf(invoiceId: string): Promise<string | null> {
    const expand = ['confirmation_secret']
    const invoice = await callProvider(() => this.stripe.invoices.retrieve(invoiceId, { expand }))
    return invoice.status === 'open' ? (invoice.confirmation_secret?.client_secret ?? null) : null
  }

  /** Lets a subscription end with its period, or go on. @returns false when the provider has ended it already */
  async setCancelAtPeriodEnd(subscriptionId: string, cancels: boolean): Promise<boolean> {
    return ifOpen(() => this.stripe.subscriptions.update(subscriptionId, { cancel_at_period_end: cancels }))
  }

  /** Ends a subscription at once, and collects nothing more for it. One that has ended stays as it is. */
  async endSubscription(subscriptionId: string): Promise<void> {
    await ifOpen(() => this.stripe.subscriptions.cancel(subscriptionId))
    // It may be paid at this moment: then it cannot be voided, and is booked as paid.
    for (const { id, status } of await this.listInvoices(subscriptionId))
      if (status === 'open') await ifOpen(() => this.stripe.invoices.voidInvoice(id))
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

  /** The secret with which the browser gives the provider a card to save. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async setUpCard(customerId: string): Promise<string> {
    const wanted = { customer: customerId, payment_method_types: ['card'], usage: 'off_session' as const }
    const { client_secret: secret } = await callProvider(() => this.stripe.setupIntents.create(wanted))
    if (!secret) throw new Error('the provider has made a setup without a secret')
    return secret
  }

  /** The saved cards of a customer, the default first. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async listCards(customerId: string) {
    return callProvider(async () => {
      const [customer, { data }] = await Promise.all([
        this.stripe.customers.retrieve(customerId),
        this.stripe.paymentMethods.list({ customer: customerId, type: 'card', limit: MAX_SAVED_CARDS }),
      ])
      const chosen = customer.deleted ? null : customer.invoice_settings.default_payment_method
      const defaultId = typeof chosen === 'string' ? chosen : (chosen?.id ?? null)
      const cards = data.map(each => toSavedCard(each, defaultId)).filter(each => each !== null)
      return [...cards.filter(each => each.isDefault), ...cards.filter(each => !each.isDefault)]
    })
  }

  /** Whether a card is saved with a customer. */
  async hasCard(customerId: string, cardId: string): Promise<boolean> {
    try {
      return (await callProvider(() => this.stripe.paymentMethods.retrieve(cardId))).customer === customerId
    } catch (error) {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return false
      throw error
    }
  }

  /** Makes a card the default, also of the subscription when there is one. */
  async makeDefault(customerId: string, cardId: string, subscriptionId: string | null): Promise<void> {
    const settings = { invoice_settings: { default_payment_method: cardId } }
    await callProvider(() => this.stripe.customers.update(customerId, settings))
    if (subscriptionId !== null)
      await ifOpen(() => this.stripe.subscriptions.update(subscriptionId, { default_payment_method: cardId }))
  }

  /** Removes a saved card. One that is removed already stays so. */
  async removeCard(cardId: string): Promise<void> {
    await ifOpen(() => this.stripe.paymentMethods.detach(cardId))
  }

  /** The provider's id of a price. A price never changes there, so its name says the amount. */
  private async priceOf({ interval, amountMinor, currency }: SubscriptionToCreate): Promise<string> {
    const name = `holdfast_premium_${interval}_${amountMinor}_${currency.toLowerCase()}`
    const known = this.prices.get(name) ?? (await this.findPrice(name))
    if (known) return known
    try {
      await callProvider(() => this.stripe.products.create(PRODUCT))
    } catch (error) {
      if (!isThere(error)) throw error
    }
    const made = await attempted(() =>
      this.stripe.prices.create(
        {
          product: PRODUCT.id,
          unit_amount: Number(amountMinor),
          currency: currency.toLowerCase(),
          recurring: { interval },
          lookup_key: name,
        },
        { idempotencyKey: name },
      ),
    )
    this.prices.set(name, made.id)
    return made.id
  }

  private async findPrice(name: string): Promise<string | null> {
    const { data } = await callProvider(() => this.stripe.prices.list({ lookup_keys: [name], limit: 1 }))
    const [price] = data
    if (!price) return null
    this.prices.set(name, price.id)
    return price.id
  }
}

/** Turns an answer that the provider repeats under the same key into `AttemptFailed`. */
async function attempted<T>(create: () => Promise<T>): Promise<T> {
  try {
    return await create()
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError || isStoredError(error))
      throw new AttemptFailed((error as Error).message)
    rethrow(error)
  }
}

/** Changes an object that may have ended at the provider. @returns false when it has */
async function ifOpen(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await callProvider(change)
    return true
  } catch (error) {
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return false
    throw error
  }
}

const isThere = (error: unknown) =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_already_exists'
