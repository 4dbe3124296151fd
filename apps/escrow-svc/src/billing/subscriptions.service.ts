import type { Subscription } from '@holdfast/contracts/subscriptions'
import { DomainError } from '@holdfast/kernel/errors'
import { fromNow } from '@holdfast/service-kit/database/database-time'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager, Not } from 'typeorm'
import type { z } from 'zod'
import { BillingLimits } from './billing-limits.js'
import { findOpenSubscription, SubscriptionEntity } from './subscription.entity.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'
import { SubscriptionViewsService } from './subscription-views.service.js'
import { SubscriptionsProvider } from './subscriptions.provider.js'
import { userIsSuspended } from './suspensions.service.js'

const ALLOW_TO_RESUME = `UPDATE subscription SET cancel_reason = NULL
  WHERE id = $1 AND money_back IS NULL AND NOT ${userIsSuspended('subscription.user_id')} RETURNING id`

/** A subscription that has begun: ending it, and letting it go on. */
@Injectable()
export class SubscriptionsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: SubscriptionsProvider,
    private readonly progress: SubscriptionProgressService,
    private readonly views: SubscriptionViewsService,
    private readonly limits: BillingLimits,
  ) {}

  /**
   * Lets a subscription end with the period that is paid. One whose period is not paid, because its card was declined or is not charged yet,
   * ends at once. If a payment of it comes at this moment, it ends with the period that is paid now.
   *
   * @throws DomainError `SUBSCRIPTION_NOT_FOUND`, `PAYMENT_PROVIDER_UNAVAILABLE`, `RATE_LIMITED`, `CONFLICT` when it has ended meanwhile
   */
  async cancel(userId: string): Promise<z.input<typeof Subscription>> {
    await this.limits.changes.count(userId)
    const { id, providerId } = await this.getRunning(userId)
    // This comes first even when the subscription ends at once: if the service stops in between, no further period is charged.
    await this.setCancelAtPeriodEnd(id, providerId, true)
    await this.provider.cancelUnpaid(providerId)
    return this.views.show(await this.progress.ask(id))
  }

  /**
   * Lets a subscription go on that was to end with its period, also one that we have cancelled: its user agrees to be charged again.
   *
   * @throws as `cancel`; `CONFLICT` for a suspended user, and while the money of the latest period is with its payer
   */
  async resume(userId: string): Promise<z.input<typeof Subscription>> {
    await this.limits.changes.count(userId)
    const { id, providerId } = await this.getRunning(userId)
    const [allowed]: [unknown[]] = await this.dataSource.query(ALLOW_TO_RESUME, [id])
    if (allowed.length === 0) throw new DomainError('CONFLICT')
    await this.setCancelAtPeriodEnd(id, providerId, false)
    return this.views.show(await this.progress.ask(id))
  }

  /**
   * Lets a user's subscription end at once, in the caller's dbTx. The timer ends it at the provider, as often as that takes, and Premium
   * ends when the provider has done so. Nothing of what was paid is refunded.
   */
  async endAtOnce(manager: EntityManager, userId: string): Promise<void> {
    await manager.update(SubscriptionEntity, { userId }, { endsAtOnce: true, cardLabel: null })
    await manager.update(
      SubscriptionEntity,
      { userId, status: Not('ended') },
      { dueAt: fromNow(0), updatedAt: fromNow(0) },
    )
  }

  /** The provider's id of the subscription that is under way; null when there is none. */
  async findProviderId(userId: string): Promise<string | null> {
    return (await findOpenSubscription(this.dataSource, userId))?.providerSubscriptionId ?? null
  }

  private async setCancelAtPeriodEnd(id: string, providerId: string, cancels: boolean): Promise<void> {
    if (await this.provider.setCancelAtPeriodEnd(providerId, cancels)) return
    await this.progress.ask(id)
    throw new DomainError('CONFLICT')
  }

  /** The subscription that has begun and not ended, as the provider has it now: a payment may have been declined or have come since. */
  private async getRunning(userId: string) {
    const known = await findOpenSubscription(this.dataSource, userId)
    if (!known?.providerSubscriptionId) throw new DomainError('SUBSCRIPTION_NOT_FOUND')
    const { id, status } = await this.progress.ask(known.id)
    if (status === 'ended') throw new DomainError('CONFLICT')
    if (status !== 'active' && status !== 'past_due') throw new DomainError('SUBSCRIPTION_NOT_FOUND')
    return { id, status, providerId: known.providerSubscriptionId }
  }
}
