import type { SavedCard } from '@holdfast/contracts/payment-methods'
import type { AtProvider } from '@holdfast/contracts/subscriptions'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_SAVED_CARDS } from '@holdfast/kernel/subscriptions'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { BillingLimits } from './billing-limits.js'
import { CustomersProvider } from './customers.provider.js'
import { CustomersService } from './customers.service.js'
import { SubscriptionsService } from './subscriptions.service.js'

/** The saved cards of users. Only the provider keeps them; we keep the id of the user's customer there. */
@Injectable()
export class SavedCardsService {
  constructor(
    private readonly customers: CustomersService,
    private readonly subscriptions: SubscriptionsService,
    private readonly provider: CustomersProvider,
    private readonly limits: BillingLimits,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /** The cards of a user, the one that pays for Premium first. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`, `RATE_LIMITED` */
  async list(userId: string): Promise<z.input<typeof SavedCard>[]> {
    const customerId = await this.customers.find(userId)
    if (!customerId) return []
    await this.limits.cardLists.count(userId)
    return this.cardsOf(userId, customerId)
  }

  /**
   * Begins to save a card.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`, `RATE_LIMITED`, `CONFLICT` for a user with too many cards; `FORBIDDEN` for a user
   * who closes their account
   */
  async setUp(userId: string): Promise<z.input<typeof AtProvider>> {
    await this.limits.cardSetups.count(userId)
    const customerId = await this.customers.getOrOpen(userId)
    if ((await this.cardsOf(userId, customerId)).length >= MAX_SAVED_CARDS)
      throw new DomainError('CONFLICT', undefined, `You have ${MAX_SAVED_CARDS} saved cards. Remove one first.`)
    const { STRIPE_PUBLIC_URL: providerUrl, STRIPE_PUBLISHABLE_KEY: publishableKey } = this.config
    return { clientSecret: await this.provider.setUpCard(customerId), providerUrl, publishableKey }
  }

  /** @throws DomainError `NOT_FOUND` for a card that is not this user's, `PAYMENT_PROVIDER_UNAVAILABLE`, `RATE_LIMITED` */
  async makeDefault(userId: string, cardId: string): Promise<void> {
    const customerId = await this.getOwner(userId, cardId)
    await this.provider.makeDefault(customerId, cardId, await this.subscriptions.findProviderId(userId))
  }

  /** Throws as `makeDefault`. */
  async remove(userId: string, cardId: string): Promise<void> {
    await this.getOwner(userId, cardId)
    await this.provider.removeCard(cardId)
  }

  private async cardsOf(userId: string, customerId: string): Promise<z.input<typeof SavedCard>[]> {
    return this.provider.listCards(customerId, await this.subscriptions.findProviderId(userId))
  }

  private async getOwner(userId: string, cardId: string): Promise<string> {
    await this.limits.changes.count(userId)
    const customerId = await this.customers.find(userId)
    if (!customerId || !(await this.provider.hasCard(customerId, cardId))) throw new DomainError('NOT_FOUND')
    return customerId
  }
}
