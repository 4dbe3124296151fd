import type { paymentRoutes } from '@holdfast/contracts/payments'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { FairQueue } from '@holdfast/service-kit/lifecycle/fair-queue'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import type { z } from 'zod'
import { DealQueries } from '../deals/deal-queries.js'
import { bankTransferOf } from './bank-transfer.js'
import { CryptoPaymentsService } from './crypto/crypto-payments.service.js'
import { cryptoPaymentOf } from './crypto/crypto-view.js'
import { FundsService } from './funds.service.js'
import type { PaymentEntity } from './payment.entity.js'
import { PaymentsRepository } from './payments.repository.js'
import { StripeProvider } from './stripe.provider.js'

/** The provider is asked about a payment when no event about it came for this long, and at most once in this time. */
const SILENT_MS = 3_000
/** The most payments that are asked about after a start. For the others, the page of the waiting buyer asks. */
const MAX_AFTER_START = 500
/** How many of them are asked about at the same time: few, so that the provider still serves the buyers who pay now. */
const ASKED_AT_ONCE = 2

/**
 * Asks the provider about payments whose events are missing: after a start, because events may have come while the service was
 * down, and while a buyer waits.
 */
@Injectable()
export class OpenPaymentsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = loggerOf('open-payments')
  private readonly stopping = new AbortController()
  private asking: Promise<void> = Promise.resolve()

  constructor(
    private readonly payments: PaymentsRepository,
    private readonly queries: DealQueries,
    private readonly funds: FundsService,
    private readonly provider: StripeProvider,
    private readonly crypto: CryptoPaymentsService,
    private readonly clock: Clock,
  ) {}

  /** The start does not wait for the provider. */
  onApplicationBootstrap(): void {
    this.asking = this.askAboutWaiting()
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort()
    await this.asking
  }

  /**
   * The latest payment of a deal, for one of its parties; null when no payment was opened. The provider is asked when no event
   * came for some seconds. If it does not answer, what is stored is returned.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`
   */
  async latestOf(dealId: number, viewerId: string): Promise<z.input<typeof paymentRoutes.getPayment.response>> {
    const { buyerId } = await this.queries.getVisible(dealId, viewerId)
    const payment = await this.payments.findLatest(dealId)
    if (!payment) return { status: null }
    await this.ask(payment)
    const latest = (await this.payments.findLatest(dealId)) ?? payment
    const { status, method } = latest
    const isBuyer = buyerId === viewerId
    const crypto = isBuyer && method === 'crypto' ? await this.crypto.find(latest.id) : null
    return {
      status: status === 'creating' ? 'open' : status,
      method,
      bankTransfer: isBuyer ? bankTransferOf(latest) : null,
      cryptoPayment: crypto && cryptoPaymentOf(latest, crypto.crypto, this.clock.now()),
      cryptoReturns: isBuyer ? await this.crypto.returnsOfDeal(dealId) : [],
    }
  }

  /** Asks about every payment that waits for the provider. A question that fails is logged, and the others go on. */
  async askAboutWaiting(): Promise<void> {
    const queue = new FairQueue({ concurrency: ASKED_AT_ONCE, maxWaiting: MAX_AFTER_START })
    const askUnlessStopping = async (payment: PaymentEntity) => {
      if (!this.stopping.signal.aborted) await this.ask(payment)
    }
    const waiting = await this.listWaiting()
    await Promise.all(waiting.map(payment => queue.run('start', () => askUnlessStopping(payment))))
  }

  private async listWaiting(): Promise<PaymentEntity[]> {
    try {
      return await this.payments.listWaiting(MAX_AFTER_START)
    } catch (error) {
      this.log.warn({ err: error }, 'the payments that wait for the provider could not be read')
      return []
    }
  }

  /** Asks about one payment and records the answer. Does nothing for one that is final or was asked about just now. */
  private async ask(payment: PaymentEntity): Promise<void> {
    const { id, intentId, status, updatedAt, method } = payment
    const now = this.clock.now()
    const since = new Date(now.getTime() - SILENT_MS)
    if (method === 'crypto') return this.askInCrypto(payment, since, now)
    if (!intentId || (status !== 'open' && status !== 'processing') || updatedAt > since) return
    try {
      if (!(await this.payments.claimAsking(id, since, now))) return
      const intent = await this.provider.getIntent(intentId)
      if (intent.state === 'succeeded') await this.funds.recordRetrieved(intent)
      if (intent.state === 'processing' || intent.state === 'open') await this.funds.recordUnfinished(intent)
      if (intent.state === 'cancelled') await this.funds.recordCancelled(intent)
    } catch (error) {
      this.log.warn({ err: error, paymentId: id }, 'the provider could not be asked about a payment')
    }
  }

  /** Asks about a failed payment, too: money that came too late is seen only when the processor is asked. */
  private async askInCrypto({ id, intentId, status }: PaymentEntity, since: Date, now: Date): Promise<void> {
    if (!intentId || status === 'succeeded') return
    if (await this.payments.claimAsking(id, since, now)) await this.crypto.look(id)
  }
}
