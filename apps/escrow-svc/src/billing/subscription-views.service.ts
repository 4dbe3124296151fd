import type { Invoice, Subscription } from '@holdfast/contracts/subscriptions'
import { formatAmount } from '@holdfast/kernel/money'
import { MAX_INVOICES_SHOWN, type SubscriptionInterval } from '@holdfast/kernel/subscriptions'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, In } from 'typeorm'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { planOf, premiumEnds } from './domain/plan-of.js'
import { findOpenSubscription, InvoiceEntity, SubscriptionEntity } from './subscription.entity.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'

/** While a payment is awaited, the provider is asked at most once in this time. */
const ASK_AGAIN_AFTER_MS = 2_000
/** A user's request waits at most this long for the provider's answer. */
const ANSWER_WITHIN_MS = 2_000
const UNSETTLED = ['creating', 'incomplete', 'past_due'] as const

/** The currency in which Premium is sold. */
export const CURRENCY = 'USD'

/** What users see of Premium: its state and its invoices. */
@Injectable()
export class SubscriptionViewsService {
  private readonly log = loggerOf('subscriptions')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly progress: SubscriptionProgressService,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  /** The plan and the subscription of a user. While a payment is awaited the provider is asked: the user may just have paid. */
  async view(userId: string): Promise<z.input<typeof Subscription>> {
    const known = await this.findLatest(userId)
    return this.show(known && (await this.askIfDue(known)))
  }

  /** A subscription as its user sees it; null for a user who never had one. */
  async show(row: SubscriptionEntity | null): Promise<z.input<typeof Subscription>> {
    if (!row)
      return {
        ...{ plan: 'standard', status: 'none', interval: null, amount: null, currency: CURRENCY },
        ...{ periodEndsAt: null, cancelsAtPeriodEnd: false, premiumUntil: null, moneyBack: null, cardLabel: null },
      }
    const { DAY_SECONDS: daySeconds } = this.config
    const premiumUntil = row.status === 'past_due' ? premiumEnds(row, daySeconds) : null
    return {
      plan: planOf(row, await databaseTime(this.dataSource), daySeconds),
      status: row.status === 'creating' ? 'incomplete' : row.status,
      interval: row.interval,
      amount: formatAmount(row.amountMinor, row.currency),
      currency: row.currency,
      periodEndsAt: row.periodEndsAt?.toISOString() ?? null,
      cancelsAtPeriodEnd: row.cancelsAtPeriodEnd,
      premiumUntil: premiumUntil?.toISOString() ?? null,
      moneyBack: row.moneyBack,
      cardLabel: row.cardLabel,
    }
  }

  /** The newest invoices of a user. */
  async invoices(userId: string): Promise<z.input<typeof Invoice>[]> {
    const rows = await this.dataSource
      .getRepository(InvoiceEntity)
      .find({ where: { userId }, order: { createdAt: 'DESC', id: 'DESC' }, take: MAX_INVOICES_SHOWN })
    const ids = [...new Set(rows.map(({ subscriptionId }) => subscriptionId))]
    const subscriptions = await this.rows.findBy({ id: In(ids) })
    const intervals = new Map(subscriptions.map(({ id, interval }) => [id, interval]))
    return rows.map(row => ({
      id: row.id,
      number: row.number,
      status: row.status,
      amount: formatAmount(row.amountMinor, row.currency),
      currency: row.currency,
      interval: intervals.get(row.subscriptionId) as SubscriptionInterval,
      periodStartsAt: row.periodStartsAt.toISOString(),
      periodEndsAt: row.periodEndsAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      paidAt: row.paidAt?.toISOString() ?? null,
      returned: formatAmount(row.refundedMinor + row.chargedBackMinor, row.currency),
    }))
  }

  private async askIfDue(row: SubscriptionEntity): Promise<SubscriptionEntity> {
    const now = await databaseTime(this.dataSource)
    const isUnsettled =
      UNSETTLED.some(each => each === row.status) || (row.periodEndsAt !== null && row.periodEndsAt < now)
    if (row.status === 'ended' || !isUnsettled) return row
    const asked = this.progress.ask(row.id, ASK_AGAIN_AFTER_MS).catch((error: unknown) => {
      this.log.warn({ err: error, subscriptionId: row.id }, 'the provider gave no answer about a subscription')
      return row
    })
    // A later answer is still recorded, and the user's next request shows it.
    return (await isDoneWithin(ANSWER_WITHIN_MS, asked)) ? asked : row
  }

  /** The one that has not ended, otherwise the latest. */
  private async findLatest(userId: string): Promise<SubscriptionEntity | null> {
    const open = await findOpenSubscription(this.dataSource, userId)
    return open ?? this.rows.findOne({ where: { userId }, order: { id: 'DESC' } })
  }

  private get rows() {
    return this.dataSource.getRepository(SubscriptionEntity)
  }
}
