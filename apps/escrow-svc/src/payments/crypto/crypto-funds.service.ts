import { newId } from '@holdfast/kernel/ids'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../../config.js'
import type { DealWithPayment } from '../../deals/deal-by-payment.js'
import { DealDeadlines } from '../../deals/deal-deadlines.js'
import type { WebhookEvent } from '../../deals/deal-write.js'
import { DealsRepository } from '../../deals/deals.repository.js'
import { BY_CRYPTO_PROCESSOR, type Change, type Circumstances } from '../../deals/domain/deal.js'
import { decide } from '../../deals/domain/decisions.js'
import { cryptoReturned } from '../../deals/domain/payments.js'
import { decideFunds } from '../decide-funds.js'
import { isOpenPayment, PaymentsRepository } from '../payments.repository.js'
import { UnhandledEvents } from '../unhandled-events.js'
import type { CryptoIntent } from './coinify-objects.js'
import { CryptoPaymentsRepository, type PaymentInCrypto } from './crypto-payments.repository.js'
import { hasFullAmount } from './crypto-view.js'

/** A part of the amount was taken as enough: only when the account at the processor is set so, which ours must not be (ADR 95). */
const COMPLETED_UNDERPAID = 'completed_underpaid'

/**
 * Records where a payment in cryptocurrency is at the processor. The processor's messages may come late, twice and in any order, and
 * its answers at any time: each state has its effect once.
 */
@Injectable()
export class CryptoFundsService {
  constructor(
    private readonly deals: DealsRepository,
    private readonly payments: PaymentsRepository,
    private readonly rows: CryptoPaymentsRepository,
    private readonly unhandled: UnhandledEvents,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /** @param eventId the event that announced it; left out for an answer to our own question */
  async record({ payment, crypto }: PaymentInCrypto, intent: CryptoIntent, eventId = newId()): Promise<void> {
    await this.rows.recordTransfers(payment.id, intent, this.clock.now())
    const webhook: WebhookEvent = { id: `coinify_${eventId}`, kind: `coinify.${intent.state}`, chargeId: null }
    switch (intent.state) {
      case 'completed':
        return this.recordCompleted(intent, webhook)
      case 'failed':
        return this.recordFailed(intent, webhook)
      case 'pending':
        if (hasFullAmount(crypto.assetUnits, intent)) return this.recordSeen(intent, webhook)
        return this.recordGone(intent, webhook)
    }
  }

  /** The processor has credited the payment: its network has confirmed it. */
  private async recordCompleted(intent: CryptoIntent, webhook: WebhookEvent): Promise<void> {
    let isFitting = true
    const { amountMinor, currency, reason } = intent
    await this.change(intent, webhook, (found, now) => {
      // An operator must look at a payment that is not the one we asked for.
      const isWhole = amountMinor === found.payment.amountMinor && reason !== COMPLETED_UNDERPAID
      isFitting = currency === found.payment.currency && isWhole
      return isFitting ? decideFunds(found, { amountMinor, currency }, this.given(now)) : null
    })
    if (!isFitting) await this.unhandled.keepUnfitting(webhook.id, webhook.kind)
  }

  /** The full amount was sent in time. Its network may still forget it: nothing is posted before it is confirmed. */
  private async recordSeen(intent: CryptoIntent, webhook: WebhookEvent): Promise<void> {
    await this.payments.markProcessing(intent.id, this.clock.now())
    const { amountMinor } = intent
    await this.change(intent, webhook, ({ deal, payment }, now) => {
      const { id: paymentId, method } = payment
      const isNews = payment.status === 'processing' && deal.status === 'pending' && amountMinor === payment.amountMinor
      return isNews ? decide(deal, { type: 'secureFunds', paymentId, method, amountMinor }, this.given(now)) : null
    })
  }

  /** Nothing is there that could pay. What was seen before is gone: its network has forgotten it. The payment may still be paid. */
  private async recordGone(intent: CryptoIntent, webhook: WebhookEvent): Promise<void> {
    await this.change(intent, webhook, ({ deal, payment: { status, method } }, now) =>
      deal.status === 'secured' && status === 'processing'
        ? decide(deal, { type: 'returnFunds', method }, this.given(now))
        : null,
    )
    await this.payments.markOpen(intent.id, this.clock.now())
  }

  /** The payment takes nothing any more: its time is over, or what came is sent back. */
  private async recordFailed(intent: CryptoIntent, webhook: WebhookEvent): Promise<void> {
    await this.change(intent, webhook, ({ deal, payment: { status, method } }, now) => {
      if (deal.status === 'secured' && status === 'processing')
        return decide(deal, { type: 'returnFunds', method }, this.given(now))
      const isNews = deal.status === 'pending' && isOpenPayment(status) && intent.transfers.length > 0
      return isNews ? cryptoReturned(deal) : null
    })
    await this.payments.markReturned(intent.id, intent.reason, this.clock.now())
  }

  private async change(
    { id }: CryptoIntent,
    webhook: WebhookEvent,
    decideOn: (found: DealWithPayment, now: Date) => Change | null,
  ): Promise<void> {
    const { outcome } = await this.deals.changeByIntent(id, webhook, BY_CRYPTO_PROCESSOR, (found, { now }) =>
      decideOn(found, now),
    )
    if (outcome) this.deadlines.notice(outcome)
  }

  private given(now: Date): Circumstances {
    return { role: 'provider', now, daySeconds: this.config.DAY_SECONDS, refundId: newId() }
  }
}
