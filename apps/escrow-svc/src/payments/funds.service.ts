import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import type { WebhookEvent } from '../deals/deal-statements.js'
import { DealsRepository, type DealWithPayment } from '../deals/deals.repository.js'
import type { Change } from '../deals/domain/deal.js'
import { decide, paymentFailed, strayFunds } from '../deals/domain/decisions.js'
import { buyerFeesOf } from '../deals/domain/fees.js'
import { PaymentsRepository } from './payments.repository.js'
import type { Intent, IntentEvent } from './provider-words.js'
import { RefundsService } from './refunds.service.js'
import { StripeProvider } from './stripe.provider.js'

const BY = 'provider:stripe'

/**
 * What the provider tells us about money. Only its signed word, or its answer when asked, makes a deal paid; events come
 * twice, late and in any order, and each has its effect once.
 */
@Injectable()
export class FundsService {
  private readonly log = loggerOf('funds')

  constructor(
    private readonly deals: DealsRepository,
    private readonly payments: PaymentsRepository,
    private readonly refunds: RefundsService,
    private readonly provider: StripeProvider,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /** Takes in a webhook. When it returns, what the event says is committed. */
  async receive(raw: Buffer, signature: string | undefined): Promise<void> {
    const event = this.provider.readEvent(raw, signature)
    switch (event.kind) {
      case 'succeeded':
        return this.recordSucceeded(event)
      case 'failed':
        return this.recordDeclined(event)
      case 'processing':
        return this.payments.markProcessing(event.intent.id, this.clock.now())
      case 'cancelled':
        return this.payments.markCancelledByIntent(event.intent.id, this.clock.now())
      case 'refund':
        return this.refunds.record(event)
      case 'other':
        return
    }
  }

  /** Records funds that the provider confirmed when it was asked, as it is before a payment window ends. */
  async recordAsked(intent: Intent): Promise<void> {
    await this.record({ id: `asked_${intent.id}`, kind: 'asked', chargeId: intent.chargeId }, intent)
  }

  private async recordSucceeded(event: IntentEvent): Promise<void> {
    const { intent } = event
    const known = await this.record({ id: event.id, kind: event.type, chargeId: intent.chargeId }, intent)
    // Ours by its metadata and unknown by its intent: we crashed between asking and recording. The provider calls again.
    if (!known && event.paymentId) throw new DomainError('UNAVAILABLE')
  }

  /** @returns false when no payment of ours has this intent */
  private async record(webhook: WebhookEvent, intent: Intent): Promise<boolean> {
    const now = this.clock.now()
    const { known, outcome } = await this.deals.changeByIntent(intent.id, webhook, { by: BY, at: now }, deal =>
      this.decideFunds(deal, intent, now),
    )
    if (outcome) this.deadlines.notice(outcome)
    return known
  }

  private decideFunds({ deal, payment }: DealWithPayment, intent: Intent, now: Date): Change | null {
    if (payment.status === 'succeeded') return null
    const { receivedMinor: amountMinor, currency } = intent
    const refundId = newId()
    const dueMinor = deal.priceMinor + buyerFeesOf(deal, payment.method).buyerFeeMinor
    // A payment that was closed is not the deal's any more: another one may be open instead of it.
    const isAwaited = deal.status === 'pending' && payment.status !== 'cancelled'
    if (isAwaited && amountMinor === dueMinor && currency === deal.currency)
      return decide(
        deal,
        { type: 'recordFunds', paymentId: payment.id, method: payment.method, amountMinor, currency },
        { role: 'provider', now, daySeconds: this.config.DAY_SECONDS, refundId },
      )
    this.log.warn({ transactionId: deal.id, paymentId: payment.id, status: deal.status }, 'stray payment')
    return strayFunds(deal, { paymentId: payment.id, refundId, amountMinor })
  }

  private async recordDeclined(event: IntentEvent): Promise<void> {
    const now = this.clock.now()
    const webhook = { id: event.id, kind: event.type, chargeId: null }
    await this.deals.changeByIntent(event.intent.id, webhook, { by: BY, at: now }, ({ deal, payment }) =>
      deal.status === 'pending' && payment.status !== 'succeeded' ? paymentFailed(deal) : null,
    )
    await this.payments.markDeclined(event.intent.id, event.declineReason, now)
  }
}
