import { MAX_SAVED_CARDS } from '@holdfast/kernel/subscriptions'
import { Injectable } from '@nestjs/common'
import type Stripe from 'stripe'
import { type Intent, idOf, toIntent } from '../payments/provider-objects.js'
import { PlatformAccount } from '../provider/platform-account.js'
import { callProvider, isMissing, isRefusal, keyOf } from '../provider/stripe-calls.js'
import { hasEnded, toSavedCard } from './billing-objects.js'
import { attempted, changeUnlessOver } from './provider-calls.js'

/** Stripe's customers and their saved cards, through its SDK. In development the SDK calls the sandbox: only the host differs. */
@Injectable()
export class CustomersProvider {
  private readonly stripe: Stripe

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

  /** Deletes a customer for ever, with the saved cards. The payments stay. Does nothing when the customer is deleted already. */
  async deleteCustomer(customerId: string): Promise<void> {
    await changeUnlessOver(
      () => this.stripe.customers.del(customerId),
      async () => (await this.stripe.customers.retrieve(customerId)).deleted === true,
    )
  }

  /** Lets the saved cards of a customer pay an intent. One that can no longer be changed is returned as it is. */
  async letPay(customer: string, intentId: string): Promise<Intent> {
    try {
      return toIntent(await callProvider(() => this.stripe.paymentIntents.update(intentId, { customer })))
    } catch (error) {
      if (!isRefusal(error)) throw error
      return toIntent(await callProvider(() => this.stripe.paymentIntents.retrieve(intentId)))
    }
  }

  /** The secret with which the browser gives the provider a card to save. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async setUpCard(customerId: string): Promise<string> {
    const wanted = { customer: customerId, payment_method_types: ['card'], usage: 'off_session' as const }
    const { client_secret: secret } = await callProvider(() => this.stripe.setupIntents.create(wanted))
    if (!secret) throw new Error('the provider has made a setup without a secret')
    return secret
  }

  /**
   * The saved cards of a customer. The default is the one that pays for Premium, and comes first: the card of the subscription, otherwise
   * that of the customer. Without a subscription, the only card is the default.
   *
   * @param subscriptionId the subscription that is under way; null for none
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async listCards(customerId: string, subscriptionId: string | null) {
    return callProvider(async () => {
      const [customer, subscription, { data }] = await Promise.all([
        this.stripe.customers.retrieve(customerId),
        subscriptionId === null ? null : this.stripe.subscriptions.retrieve(subscriptionId),
        this.stripe.paymentMethods.list({ customer: customerId, type: 'card', limit: MAX_SAVED_CARDS }),
      ])
      const ofCustomer = customer.deleted ? null : customer.invoice_settings.default_payment_method
      const chosen = subscription?.default_payment_method ?? ofCustomer
      const only = subscriptionId === null && data.length === 1 ? data[0] : null
      const defaultId = idOf(chosen ?? only ?? null)
      const cards = data.map(each => toSavedCard(each, defaultId)).filter(each => each !== null)
      return [...cards.filter(each => each.isDefault), ...cards.filter(each => !each.isDefault)]
    })
  }

  /** Whether a card is saved with a customer. */
  async hasCard(customerId: string, cardId: string): Promise<boolean> {
    try {
      return (await callProvider(() => this.stripe.paymentMethods.retrieve(cardId))).customer === customerId
    } catch (error) {
      if (isMissing(error)) return false
      throw error
    }
  }

  /** Makes a card the default, also of the subscription when there is one that has not ended. */
  async makeDefault(customerId: string, cardId: string, subscriptionId: string | null): Promise<void> {
    const settings = { invoice_settings: { default_payment_method: cardId } }
    await callProvider(() => this.stripe.customers.update(customerId, settings))
    if (subscriptionId === null) return
    await changeUnlessOver(
      () => this.stripe.subscriptions.update(subscriptionId, { default_payment_method: cardId }),
      async () => hasEnded(await this.stripe.subscriptions.retrieve(subscriptionId)),
    )
  }

  /** Removes a saved card. Does nothing when it is removed already. */
  async removeCard(cardId: string): Promise<void> {
    await changeUnlessOver(
      () => this.stripe.paymentMethods.detach(cardId),
      async () => (await this.stripe.paymentMethods.retrieve(cardId)).customer === null,
    )
  }
}
