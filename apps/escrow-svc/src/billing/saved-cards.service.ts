import type { SavedCard } from '@holdfast/contracts/payment-methods'
import type { AtProvider } from '@holdfast/contracts/subscriptions'
import { DomainError } from '@holdfast/kernel/errors'
import { CARD_SETUPS_OF_A_USER, MAX_SAVED_CARDS } from '@holdfast/kernel/subscriptions'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { BillingProvider } from './billing.provider.js'
import { CustomersService } from './customers.service.js'
import { SubscriptionsService } from './subscriptions.service.js'

/** The saved cards of users. The provider keeps them; here is only who the user is there. */
@Injectable()
export class SavedCardsService {
  private readonly setups: Attempts

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly customers: CustomersService,
    private readonly subscriptions: SubscriptionsService,
    private readonly provider: BillingProvider,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {
    this.setups = new Attempts(dataSource, 'card-setups-of-user', CARD_SETUPS_OF_A_USER)
  }

  /** @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE` */
  async list(userId: string): Promise<z.input<typeof SavedCard>[]> {
    const customerId = await this.customers.find(userId)
    return customerId ? this.provider.listCards(customerId) : []
  }

  /** Begins to save a card. @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`, `RATE_LIMITED`, `CONFLICT` for a user with too many cards */
  async setUp(userId: string): Promise<z.input<typeof AtProvider>> {
    await this.setups.count(userId)
    const customerId = await this.customers.getOrOpen(userId)
    if ((await this.provider.listCards(customerId)).length >= MAX_SAVED_CARDS)
      throw new DomainError('CONFLICT', undefined, `You have ${MAX_SAVED_CARDS} saved cards. Remove one first.`)
    const { STRIPE_PUBLIC_URL: providerUrl, STRIPE_PUBLISHABLE_KEY: publishableKey } = this.config
    return { clientSecret: await this.provider.setUpCard(customerId), providerUrl, publishableKey }
  }

  /** @throws DomainError `NOT_FOUND` for a card that is not this user's, `PAYMENT_PROVIDER_UNAVAILABLE` */
  async makeDefault(userId: string, cardId: string): Promise<void> {
    const customerId = await this.getOwner(userId, cardId)
    await this.provider.makeDefault(customerId, cardId, await this.subscriptions.findProviderId(userId))
  }

  /** Throws as `makeDefault`. */
  async remove(userId: string, cardId: string): Promise<void> {
    await this.getOwner(userId, cardId)
    await this.provider.removeCard(cardId)
  }

  private async getOwner(userId: string, cardId: string): Promise<string> {
    const customerId = await this.customers.find(userId)
    if (!customerId || !(await this.provider.hasCard(customerId, cardId))) throw new DomainError('NOT_FOUND')
    return customerId
  }
}
