import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import { InvoiceReturnsService } from '../billing/invoice-returns.service.js'
import { SubscriptionProgressService } from '../billing/subscription-progress.service.js'
import type { EscrowConfig } from '../config.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import type { WebhookEvent } from '../deals/deal-write.js'
import { DealsRepository } from '../deals/deals.repository.js'
import { BY_PROVIDER, type Circumstances } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { lateDecline, paymentFailed, strayFunds } from '../deals/domain/payments.js'
import { PayoutAccountsService } from '../payouts/payout-accounts.service.js'
import { PayoutSendingService } from '../payouts/payout-sending.service.js'
import { ProviderPayoutsService } from '../payouts/provider-payouts.service.js'
import { ChargebackFeesService } from './chargeback-fees.service.js'
import { ChargebacksService } from './chargebacks.service.js'
import { decideFunds } from './decide-funds.js'
import { isOpenPayment, PaymentsRepository } from './payments.repository.js'
import type { ChargebackEvent, IntentEvent, PayoutEvent } from './provider-events.js'
import type { Intent } from './provider-objects.js'
import { ProviderRefundsService } from './provider-refunds.service.js'
import { RefundProgressService } from './refund-progress.service.js'
import { StripeProvider } from './stripe.provider.js'
import { TakenBackTransfersService } from './taken-back-transfers.service.js'
import { UnhandledEvents } from './unhandled-events.js'

/** The most parts of a bank transfer that one event books. */
const MAX_PARTS_AT_ONCE = 20

/**
 * Receives Stripe's events and passes each to its service; records payments. Only a signed event, or the provider's answer to our own
 * request, makes a deal paid. Events may arrive twice, late and in any order; each has its effect once.
 */
@Injectable()
export class FundsService {
  constructor(
    private readonly deals: DealsRepository,
    private readonly payments: PaymentsRepository,
    private readonly refunds: RefundProgressService,
    private readonly providerRefunds: ProviderRefundsService,
    private readonly chargebacks: ChargebacksService,
    private readonly chargebackFees: ChargebackFeesService,
    private readonly invoiceReturns: InvoiceReturnsService,
    private readonly takenBack: TakenBackTransfersService,
    private readonly payouts: PayoutSendingService,
    private readonly payoutAccounts: PayoutAccountsService,
    private readonly providerPayouts: ProviderPayoutsService,
    private readonly subscriptions: SubscriptionProgressService,
    private readonly unhandled: UnhandledEvents,
    private readonly provider: StripeProvider,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Handles a webhook event. When it returns, the effect is committed.
   *
   * @throws DomainError `WEBHOOK_SIGNATURE_INVALID`, `MALFORMED_REQUEST`, `UNAVAILABLE` when the provider must resend it
   */
  async receive(raw: Buffer, signature: string | undefined): Promise<void> {
    const event = this.provider.readEvent(raw, signature)
    switch (event.kind) {
      case 'succeeded':
        return this.recordSucceeded(event)
      case 'failed':
        return this.recordDeclined(event)
      case 'processing':
        return this.recordBegun(event)
      case 'partly_funded':
        return this.recordPartlyFunded(event.intent)
      case 'cancelled':
        return this.recordCancelled(event.intent)
      case 'unapplied':
        if (await this.recordUnapplied(event.customerId)) return
        return this.unhandled.keepUnfitting(event.id, event.type)
      case 'transfer_taken_back':
        if (await this.takenBack.record(event.customerId)) return
        return this.unhandled.keepUnfitting(event.id, event.type)
      case 'refund':
        if ((await this.refunds.record(event)) || (await this.providerRefunds.record(event))) return
        if (await this.invoiceReturns.recordByIntent(event.intentId)) return
        return this.unhandled.keepUnfitting(event.id, event.type)
      case 'chargeback':
        if (await this.recordChargeback(event)) return
        if (await this.invoiceReturns.recordByIntent(event.intentId)) return
        return this.unhandled.keepUnfitting(event.eventId, event.type)
      case 'account':
        if (await this.payoutAccounts.refreshAccount(event.accountId)) return
        return this.unhandled.keepUnfitting(event.id, event.type)
      case 'payout':
        if (await this.recordPayout(event)) return
        return this.unhandled.keepUnfitting(event.id, event.type)
      case 'transfer_reversed':
        if (await this.payouts.isOwnReversal(event)) return
        return this.unhandled.keepUnfitting(event.id, event.type)
      case 'subscription':
        if (await this.subscriptions.refresh(event.subscriptionId)) return
        return this.unhandled.keepUnfitting(event.id, event.type)
      case 'unhandled':
        return this.unhandled.keep(event)
      case 'repetition':
      case 'other_mode':
        return
    }
  }

  /** Records the funds of an intent that we have retrieved and that has succeeded. */
  async recordRetrieved(intent: Intent): Promise<void> {
    await this.record({ id: `retrieved_${intent.id}`, kind: 'retrieved', chargeId: intent.chargeId }, intent)
  }

  /** Records where a payment is that we have retrieved and that has not ended. */
  async recordUnfinished(intent: Intent): Promise<void> {
    const { id } = intent
    if (intent.state === 'processing')
      return this.recordProcessing({ id: `retrieved_processing_${id}`, kind: 'retrieved', chargeId: null }, intent)
    if (intent.customerId === null) return this.payments.markOpen(id, this.clock.now())
    if (intent.hasFailed)
      return this.recordReturned({ id: `retrieved_failed_${id}`, kind: 'retrieved', chargeId: null }, id, null)
    return this.recordPartlyFunded(intent)
  }

  /**
   * Records that an intent was cancelled. What had arrived of its bank transfer is returned. We look for it ourselves, because the
   * event about it may be lost.
   */
  async recordCancelled({ id, customerId }: Intent): Promise<void> {
    // This comes first: after a crash or a failed call the payment is still open, so it is closed again.
    if (customerId !== null) await this.recordUnapplied(customerId)
    await this.payments.markCancelledByIntent(id, this.clock.now())
    if (customerId !== null) await this.returnIfEnded(id)
  }

  /** Events come in any order: a card may have been declined since. Then the payment waits for another card already. */
  private async recordBegun({ id, type, intent }: IntentEvent): Promise<void> {
    const isByCard = intent.customerId === null
    if (isByCard && (await this.provider.getIntent(intent.id)).state !== 'processing') return
    await this.recordProcessing({ id, kind: type, chargeId: null }, intent)
  }

  /** The provider works on a payment. Of a bank transfer that means: the money has arrived and is not final. */
  private async recordProcessing(webhook: WebhookEvent, intent: Intent): Promise<void> {
    await this.payments.markProcessing(intent.id, this.clock.now())
    const { amountMinor, currency } = intent
    const { outcome } = await this.deals.changeByIntent(
      intent.id,
      webhook,
      BY_PROVIDER,
      ({ deal, payment }, { now }) => {
        const { id: paymentId, method } = payment
        // Events come in any order: the money may be final, or back at the bank, already.
        const isNews = payment.status === 'processing' && deal.status === 'pending' && currency === payment.currency
        if (method !== 'bank' || !isNews || amountMinor !== payment.amountMinor) return null
        return decide(deal, { type: 'secureFunds', paymentId, method, amountMinor }, this.given(now))
      },
    )
    if (outcome) this.deadlines.notice(outcome)
  }

  /**
   * A part of a bank transfer has arrived. The deal waits for the rest. One that was cancelled at the moment when the payment was begun
   * does not: its payment is closed, and the part is returned.
   */
  private async recordPartlyFunded({ id, amountMinor, transfer }: Intent): Promise<void> {
    if (transfer) await this.payments.recordReceived(id, amountMinor - transfer.missingMinor, this.clock.now())
    if (!(await this.payments.isOpenOfCancelledDeal(id))) return
    const intent = await this.provider.cancelIntent(id)
    // When all of the money has come meanwhile, its event returns it.
    if (intent.state === 'cancelled') await this.recordCancelled(intent)
  }

  /** The bank has taken a transfer back, or the provider has given it up. Money that still comes is returned. */
  private async recordReturned(webhook: WebhookEvent, intentId: string, reason: string | null): Promise<void> {
    const { outcome } = await this.deals.changeByIntent(
      intentId,
      webhook,
      BY_PROVIDER,
      ({ deal, payment }, { now }) => {
        if (deal.status === 'secured' && payment.status === 'processing')
          return decide(deal, { type: 'returnFunds', method: payment.method }, this.given(now))
        return deal.status === 'pending' && isOpenPayment(payment.status) ? paymentFailed(deal) : null
      },
    )
    if (outcome) this.deadlines.notice(outcome)
    await this.payments.markReturned(intentId, reason, this.clock.now())
    // A late message that the money has arrived may have secured the deal between these two steps.
    await this.returnIfEnded(intentId)
  }

  /** Lets a secured deal wait for a payment again when the payment that secured it has ended: nothing else would move it any more. */
  private async returnIfEnded(intentId: string): Promise<void> {
    if (!(await this.payments.isEndedOfSecuredDeal(intentId))) return
    const webhook = { id: `ended_${intentId}`, kind: 'ended', chargeId: null }
    const { outcome } = await this.deals.changeByIntent(
      intentId,
      webhook,
      BY_PROVIDER,
      ({ deal, payment: { method } }, { now }) =>
        deal.status === 'secured' ? decide(deal, { type: 'returnFunds', method }, this.given(now)) : null,
    )
    if (outcome) this.deadlines.notice(outcome)
  }

  /**
   * Money has come with a bank transfer that no payment takes: too much, twice, or after the payment was closed. It is returned
   * whole.
   *
   * @returns false when the payer is not ours
   * @throws DomainError `UNAVAILABLE` when more parts were waiting than one call books
   */
  private async recordUnapplied(customerId: string): Promise<boolean> {
    const payment = await this.payments.findByCustomer(customerId)
    if (!payment) return false
    const unapplied = await this.provider.unappliedOf(customerId, await this.refunds.unpaidIdsOf(payment.id))
    if (!unapplied) return true
    if (unapplied.currency !== payment.currency) return false
    // Another process may keep a part at the same time, or may have ended before it booked one. Each round books one of them.
    for (let round = 0; round < MAX_PARTS_AT_ONCE; round++) {
      const name = await this.payments.keepUnapplied(payment, newId(), unapplied.amountMinor, this.clock.now())
      if (name === null) return this.takenBack.record(customerId)
      await this.bookUnapplied(name)
    }
    throw new DomainError('UNAVAILABLE')
  }

  /** @param name of a part, as `keepUnapplied` gives it */
  private async bookUnapplied(name: string): Promise<void> {
    const webhook = { id: `unapplied_${name}`, kind: 'unapplied', chargeId: null }
    await this.deals.changeByIntent(name, webhook, BY_PROVIDER, ({ deal, payment }) => {
      const { id: paymentId, status, amountMinor, method } = payment
      if (status === 'succeeded') return null
      return strayFunds(deal, { paymentId, refundId: newId(), amountMinor, method, withoutCharge: true })
    })
  }

  private given(now: Date): Circumstances {
    return { role: 'provider', now, daySeconds: this.config.DAY_SECONDS, refundId: newId() }
  }

  private async recordChargeback(event: ChargebackEvent): Promise<boolean> {
    if (!(await this.chargebacks.record(event))) return false
    await this.chargebackFees.record(event)
    return true
  }

  private recordPayout(event: PayoutEvent): Promise<boolean> {
    const { accountId } = event
    return accountId === null ? this.providerPayouts.record(event) : this.payouts.record({ ...event, accountId })
  }

  private async recordSucceeded(event: IntentEvent): Promise<void> {
    const { intent } = event
    const known = await this.record({ id: event.id, kind: event.type, chargeId: intent.chargeId }, intent)
    if (known || event.paymentId === null) return
    // The payment is here without its intent: we crashed before recording it. The provider sends the event again after this error.
    if (await this.payments.exists(event.paymentId)) throw new DomainError('UNAVAILABLE')
    // A payment is committed before its intent is created. So the database was restored from an older backup, or
    // another system uses the same account at the provider.
    await this.unhandled.keepUnfitting(event.id, event.type)
  }

  /** @returns false when no payment of ours has this intent */
  private async record(webhook: WebhookEvent, intent: Intent): Promise<boolean> {
    let isFitting = true
    const { known, outcome } = await this.deals.changeByIntent(intent.id, webhook, BY_PROVIDER, (found, { now }) => {
      // Everything of a deal is booked in one currency, also a stray payment. An operator must look at another one.
      isFitting = intent.currency === found.payment.currency
      const { receivedMinor: amountMinor, currency } = intent
      return isFitting ? decideFunds(found, { amountMinor, currency }, this.given(now)) : null
    })
    if (outcome) this.deadlines.notice(outcome)
    if (!isFitting) await this.unhandled.keepUnfitting(webhook.id, webhook.kind)
    return known
  }

  private async recordDeclined(event: IntentEvent): Promise<void> {
    const webhook = { id: event.id, kind: event.type, chargeId: null }
    if (event.intent.customerId !== null) return this.recordReturned(webhook, event.intent.id, event.declineReason)
    await this.deals.changeByIntent(event.intent.id, webhook, BY_PROVIDER, ({ deal, payment }) =>
      deal.status === 'pending' && payment.status !== 'succeeded' ? paymentFailed(deal) : lateDecline(deal),
    )
    // Events come in any order. The decline may belong to an earlier attempt than the one that is being processed.
    const isProcessing = await this.payments.isProcessing(event.intent.id)
    if (isProcessing && (await this.provider.getIntent(event.intent.id)).state === 'processing') return
    await this.payments.markDeclined(event.intent.id, event.declineReason, this.clock.now())
  }
}
