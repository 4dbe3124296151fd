import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
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
import type { CryptoPaymentEntity } from './crypto-payment.entity.js'
import { CryptoPaymentsRepository, type PaymentInCrypto } from './crypto-payments.repository.js'
import { CryptoProcessor } from './crypto-processor.js'
import { hasFullAmount } from './crypto-view.js'

/** Coinify accepted less than the amount. It does so only with a setting that must be off in our account (ADR 95). */
const COMPLETED_UNDERPAID = 'completed_underpaid'

/** How many answers are recorded at the same time. Each holds a database connection while its steps use further ones. */
const RECORDED_AT_ONCE = 2
const MAX_WAITING_ANSWERS = 500
/** How often a question is asked again because a later one was answered first. */
const MAX_OVERTAKEN = 5

/**
 * Records the state of payments in cryptocurrency at the processor. The processor's events come late, twice and in any order. So after
 * each of them the processor is asked, the questions are numbered, and each state has its effect once.
 */
@Injectable()
export class CryptoFundsService {
  private readonly turns = new FairQueue({ concurrency: RECORDED_AT_ONCE, maxWaiting: MAX_WAITING_ANSWERS })

  constructor(
    private readonly deals: DealsRepository,
    private readonly payments: PaymentsRepository,
    private readonly rows: CryptoPaymentsRepository,
    private readonly processor: CryptoProcessor,
    private readonly unhandled: UnhandledEvents,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks the processor about a payment and records the answer. When the answer to a later question was recorded meanwhile, it is not known
   * which of them is newer, and the processor is asked again.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`; `UNAVAILABLE` when it was overtaken too often, or while too many answers wait
   */
  async ask({ payment: { id, intentId }, crypto: { asset } }: PaymentInCrypto): Promise<void> {
    if (!intentId) return
    for (let attempt = 0; attempt < MAX_OVERTAKEN; attempt++) {
      const nth = await this.rows.beginAsk(id)
      const intent = await this.processor.getIntent(intentId, asset)
      const record = (crypto: CryptoPaymentEntity) => this.record(crypto, intent)
      if (await this.turns.run(id, () => this.rows.recordAnswer(id, nth, intent, record))) return
    }
    throw new DomainError('UNAVAILABLE')
  }

  private async record(crypto: CryptoPaymentEntity, intent: CryptoIntent): Promise<void> {
    // An operator has refunded it in the processor's dashboard. Our books do not know that.
    for (const refundId of intent.merchantRefundIds)
      await this.unhandled.keepUnfitting(`coinify_refund_${refundId}`, 'coinify.merchant-refund')
    switch (intent.state) {
      case 'completed':
        return this.recordCompleted(intent)
      case 'failed':
        return this.recordFailed(intent)
      case 'pending':
        if (hasFullAmount(crypto.assetUnits, intent)) return this.recordSeen(intent)
        return this.recordGone(intent)
    }
  }

  /** The processor has credited the payment: its network has confirmed it. */
  private async recordCompleted(intent: CryptoIntent): Promise<void> {
    let isFitting = true
    const { amountMinor, currency, reason } = intent
    await this.change(intent, once(intent), (found, now) => {
      // An operator must look at a payment that is not the one we asked for.
      const isWhole = amountMinor === found.payment.amountMinor && reason !== COMPLETED_UNDERPAID
      isFitting = currency === found.payment.currency && isWhole
      return isFitting ? decideFunds(found, { amountMinor, currency }, this.given(now)) : null
    })
    if (!isFitting) await this.unhandled.keepUnfitting(`coinify_unfit_${intent.id}`, kindOf(intent))
  }

  /** The full amount was sent in time. Its network may still forget it: nothing is posted before it is confirmed. */
  private async recordSeen(intent: CryptoIntent): Promise<void> {
    await this.payments.markProcessing(intent.id, this.clock.now())
    const { amountMinor } = intent
    await this.change(intent, again(intent), ({ deal, payment }, now) => {
      const { id: paymentId, method } = payment
      const isNews = payment.status === 'processing' && deal.status === 'pending' && amountMinor === payment.amountMinor
      return isNews ? decide(deal, { type: 'secureFunds', paymentId, method, amountMinor }, this.given(now)) : null
    })
  }

  /** No transfer can pay. If one was seen before, its network has dropped it. The payment stays open and may still be paid. */
  private async recordGone(intent: CryptoIntent): Promise<void> {
    await this.change(intent, again(intent), (found, now) => this.decideReturn(found, now))
    await this.payments.markOpen(intent.id, this.clock.now())
  }

  /** The payment accepts no transfer any more: its time is over, or the processor returns what came. */
  private async recordFailed(intent: CryptoIntent): Promise<void> {
    await this.change(intent, once(intent), (found, now) => {
      const { deal, payment } = found
      const isNews = deal.status === 'pending' && isOpenPayment(payment.status) && intent.transfers.length > 0
      return isNews ? cryptoReturned(deal) : this.decideReturn(found, now)
    })
    await this.payments.markReturned(intent.id, intent.reason, this.clock.now())
  }

  /** A deal has one open payment at a time. While the deal is secured, that is the one whose money was seen. */
  private decideReturn({ deal, payment: { status, method } }: DealWithPayment, now: Date): Change | null {
    if (deal.status !== 'secured' || !isOpenPayment(status)) return null
    return decide(deal, { type: 'returnFunds', method }, this.given(now))
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

const kindOf = ({ state }: CryptoIntent) => `coinify.${state}`

/** The end of a payment changes its deal once. After a crash in between, the parties are not notified again. */
const once = (intent: CryptoIntent): WebhookEvent => ({
  id: `coinify_${intent.state}_${intent.id}`,
  kind: kindOf(intent),
  chargeId: null,
})

/** Money may be seen and dropped again any number of times. */
const again = (intent: CryptoIntent): WebhookEvent => ({
  id: `coinify_${newId()}`,
  kind: kindOf(intent),
  chargeId: null,
})
