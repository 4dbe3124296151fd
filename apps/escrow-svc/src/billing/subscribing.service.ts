import type { OpenedSubscription } from '@holdfast/contracts/subscriptions'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import { PREMIUM_PRICE_MINOR, type SubscriptionInterval } from '@holdfast/kernel/subscriptions'
import { fromNow } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'
import { refuseClosedUsers } from '../accounts/closed-users.js'
import type { EscrowConfig } from '../config.js'
import { AttemptFailed } from '../provider/stripe-calls.js'
import { BillingLimits } from './billing-limits.js'
import { CustomersService } from './customers.service.js'
import { findOpenSubscription, InvoiceEntity, SubscriptionEntity } from './subscription.entity.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'
import { CURRENCY } from './subscription-views.service.js'
import { SubscriptionsProvider } from './subscriptions.provider.js'
import { refuseSuspended } from './suspensions.service.js'

/** When a subscription whose creation was not finished is looked for at the provider. */
const LOOK_FOR_LOST_DAYS = 1 / 24
/** How often one request tries to open a subscription in place of one that has ended meanwhile. */
const OPENINGS_AT_ONCE = 3

const INSERT = `INSERT INTO subscription (id, user_id, interval, amount_minor, currency, status, due_at, created_at, updated_at)
  VALUES ($1, $2, $3, $4, $5, 'creating', now() + $6 * interval '1 second', now(), now()) ON CONFLICT DO NOTHING`

/** Beginning Premium, and paying a period whose card was declined. */
@Injectable()
export class SubscribingService {
  private readonly log = loggerOf('subscriptions')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly customers: CustomersService,
    private readonly provider: SubscriptionsProvider,
    private readonly progress: SubscriptionProgressService,
    private readonly limits: BillingLimits,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /**
   * Begins a subscription, takes up the one that waits for its first payment, or lets the user pay the period whose card was declined.
   * Nothing is charged here: the browser confirms the payment at the provider.
   *
   * @param interval null for the interval of the subscription that waits for its first payment, or monthly when none waits. When one waits
   * with another interval, it is cancelled and a new one is begun; while its payment is under way it is kept, and is the answer
   * @throws DomainError `SUBSCRIPTION_EXISTS` for one that is paid, `PAYMENT_PROVIDER_UNAVAILABLE`, `CONFLICT`, `RATE_LIMITED`;
   * `FORBIDDEN` for a user who closes their account or is suspended
   */
  async begin(userId: string, interval: SubscriptionInterval | null): Promise<z.input<typeof OpenedSubscription>> {
    await this.limits.subscriptions.count(userId)
    const customerId = await this.customers.getOrOpen(userId)
    for (let opening = 0; opening < OPENINGS_AT_ONCE; opening++) {
      const open = await this.findOrInsert(userId, interval)
      const asked = await this.atProvider(open, customerId)
      if (asked.status === 'active') throw new DomainError('SUBSCRIPTION_EXISTS')
      if (asked.status === 'ended') continue
      if (!(await this.cancelUnwanted(asked, interval))) {
        const answer = await this.payable(asked)
        if (answer) return answer
      }
      // It was paid, or has ended, at this moment.
      await this.progress.ask(asked.id)
    }
    throw new DomainError('CONFLICT')
  }

  /**
   * Cancels a subscription that waits for its first payment, when another interval is wanted or it has no invoice that can be paid.
   *
   * @returns whether it was cancelled
   */
  private async cancelUnwanted(row: SubscriptionEntity, wanted: SubscriptionInterval | null): Promise<boolean> {
    if (row.status !== 'incomplete') return false
    const isWanted = wanted === null || wanted === row.interval
    if (isWanted && (await this.findOpenInvoice(row))) return false
    return this.provider.cancelUnpaid(row.providerSubscriptionId as string)
  }

  /** The subscription that has not ended, or a new one. Two requests at the same time get the same one. */
  private async findOrInsert(userId: string, interval: SubscriptionInterval | null): Promise<SubscriptionEntity> {
    const open = await findOpenSubscription(this.dataSource, userId)
    if (open) return open
    const chosen = interval ?? 'month'
    const amountMinor = PREMIUM_PRICE_MINOR[chosen].toString()
    const lookAfterSeconds = LOOK_FOR_LOST_DAYS * this.config.DAY_SECONDS
    await this.dataSource.transaction(async manager => {
      await refuseClosedUsers(manager, userId, [userId])
      await refuseSuspended(manager, userId)
      await manager.query(INSERT, [newId(), userId, chosen, amountMinor, CURRENCY, lookAfterSeconds])
    })
    const found = await findOpenSubscription(this.dataSource, userId)
    if (!found) throw new DomainError('CONFLICT')
    return found
  }

  /** Creates a subscription at the provider, unless it is there, and records its state. */
  private async atProvider(row: SubscriptionEntity, customerId: string): Promise<SubscriptionEntity> {
    if (row.status === 'creating') {
      const { id, attempt } = row
      try {
        const providerSubscriptionId = await this.provider.createSubscription({ ...row, customerId })
        // Another request may have recorded it already: both share the provider's key.
        const created = { status: 'incomplete', providerSubscriptionId, updatedAt: fromNow(0) } as const
        await this.rows.update({ id, status: 'creating' }, created)
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error
        this.log.error({ err: error, subscriptionId: id, attempt }, 'the provider has refused to create a subscription')
        await this.rows.update({ id, attempt }, { attempt: attempt + 1 })
        throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
      }
    }
    return this.progress.ask(row.id)
  }

  /** What the browser needs to pay the latest invoice; null when it needs no payment. */
  private async payable(row: SubscriptionEntity): Promise<z.input<typeof OpenedSubscription> | null> {
    const invoice = await this.findOpenInvoice(row)
    const clientSecret = invoice && (await this.provider.secretOf(invoice.id))
    if (!invoice || !clientSecret) return null
    const { STRIPE_PUBLIC_URL: providerUrl, STRIPE_PUBLISHABLE_KEY: publishableKey } = this.config
    return {
      ...{ subscriptionId: row.id, interval: row.interval, clientSecret, providerUrl, publishableKey },
      status: row.status === 'past_due' ? 'past_due' : 'incomplete',
      amount: formatAmount(invoice.amountMinor, invoice.currency),
      currency: invoice.currency,
    }
  }

  private findOpenInvoice({ id, userId }: SubscriptionEntity): Promise<InvoiceEntity | null> {
    return this.dataSource.getRepository(InvoiceEntity).findOne({
      // The user first, because the index begins with them.
      where: { userId, subscriptionId: id, status: 'open' },
      order: { createdAt: 'DESC', id: 'DESC' },
    })
  }

  private get rows() {
    return this.dataSource.getRepository(SubscriptionEntity)
  }
}
