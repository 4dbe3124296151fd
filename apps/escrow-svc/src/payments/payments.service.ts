import type { Payment, paymentInternalRoutes } from '@holdfast/contracts/payments'
import { DomainError } from '@holdfast/kernel/errors'
import { buyerFeesOf } from '@holdfast/kernel/fees'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import { PAYMENTS_OF_A_DEAL, PAYMENTS_OF_A_USER, type PaymentMethod } from '@holdfast/kernel/payments'
import { Attempts } from '@holdfast/service-kit/auth/attempts'
import { hashInput } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { z } from 'zod'
import { CustomersService } from '../billing/customers.service.js'
import type { EscrowConfig } from '../config.js'
import { DealDeadlines } from '../deals/deal-deadlines.js'
import { DealsRepository } from '../deals/deals.repository.js'
import type { Party } from '../deals/deals.service.js'
import { extendPaymentWindow } from '../deals/domain/bank-transfers.js'
import { type Deal, partyOf } from '../deals/domain/deal.js'
import { assertAllowed } from '../deals/domain/transitions.js'
import { AttemptFailed } from '../provider/stripe-calls.js'
import { bankTransferOf } from './bank-transfer.js'
import type { PaymentInCrypto } from './crypto/crypto-payments.repository.js'
import { CryptoPaymentsService } from './crypto/crypto-payments.service.js'
import { cryptoPaymentOf } from './crypto/crypto-view.js'
import { FundsService } from './funds.service.js'
import type { PaymentEntity } from './payment.entity.js'
import { PaymentsRepository } from './payments.repository.js'
import type { Intent } from './provider-objects.js'
import { PaymentRefused, StripeProvider } from './stripe.provider.js'

/** What the buyer chooses to pay with. */
type PaymentInput = Omit<z.output<typeof paymentInternalRoutes.beginPayment.body>, 'payerEmail'>

/** The buyer sees this when the provider never accepts a payment, such as one above a card's limit. */
const refusedWords = (method: PaymentMethod) => `The payment provider does not accept this payment by ${method}.`

/** How often one request tries to create an intent. */
const ATTEMPTS_AT_ONCE = 2
/** When lost intents are looked for. A new intent may be missing from the provider's search for up to a minute. */
const CHECK_AFTER_MS = 120_000

/** Whether nothing can be paid with a payment any more, and it was not paid. */
const isClosed = ({ status }: PaymentEntity): boolean => status === 'cancelled' || status === 'failed'

const closedPayment = () =>
  new DomainError('CONFLICT', undefined, 'This payment was closed before it was paid. Please begin again.')

/** The route part of the idempotency key. */
const ROUTE = 'payments'

/**
 * Opens and closes payments. A payment's row is committed first. Then the provider is called with the row's id as the
 * idempotency key. Then its answer is recorded. After a crash between two steps the same id resumes them.
 */
@Injectable()
export class PaymentsService {
  private readonly log = loggerOf('payments')
  private readonly begunForDeal: Attempts
  private readonly begunByUser: Attempts

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly deals: DealsRepository,
    private readonly payments: PaymentsRepository,
    private readonly funds: FundsService,
    private readonly provider: StripeProvider,
    private readonly crypto: CryptoPaymentsService,
    private readonly customers: CustomersService,
    private readonly deadlines: DealDeadlines,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {
    this.begunForDeal = new Attempts(dataSource, 'payments-of-deal', PAYMENTS_OF_A_DEAL)
    this.begunByUser = new Attempts(dataSource, 'payments-of-user', PAYMENTS_OF_A_USER)
  }

  /**
   * Opens a payment for a deal, or returns the open one. The same idempotency key gives the same payment, as it is now.
   *
   * @param party the buyer. `email` is their confirmed address, which the provider needs for a payment by bank
   * @throws DomainError `TRANSACTION_NOT_FOUND`, `FORBIDDEN` for the seller, `ESCROW_WRONG_STATE`, `VALIDATION_FAILED`,
   * `PAYMENT_METHOD_UNAVAILABLE`, `PAYMENT_PROVIDER_UNAVAILABLE`, `IDEMPOTENCY_KEY_REUSED`, `RATE_LIMITED`, `CONFLICT` when the deal was
   * cancelled in the meantime, or the payment of a repeated key was closed
   */
  async begin(
    id: number,
    party: Party & { readonly key: string; readonly email: string | null },
    input: PaymentInput,
  ): Promise<z.input<typeof Payment>> {
    const key = { userId: party.userId, route: ROUTE, key: party.key, inputHash: hashInput([id, input]) }
    const begun = await this.payments.findBegun(key)
    if (begun) return this.answerAgain(begun.paymentId, party)
    const deal = await this.getPayable(id, party.userId)
    const { method } = input
    if (!this.config.PAYMENT_METHODS.includes(method)) throw new DomainError('PAYMENT_METHOD_UNAVAILABLE')
    const choice = method === 'crypto' ? this.crypto.choiceOf(input) : null

    // From here on the provider is asked.
    await this.begunForDeal.count(String(id))
    await this.begunByUser.count(party.userId)
    await this.closeOtherMethod(id, method)
    if (choice) await this.crypto.closeOtherQuote(id, choice)
    const now = this.clock.now()
    const payment = await this.payments.findOrOpen({
      id: newId(),
      transactionId: id,
      userId: party.userId,
      method,
      amountMinor: deal.priceMinor + buyerFeesOf(deal, method).buyerFeeMinor,
      currency: deal.currency,
      now,
    })
    // Another request has opened a payment of another method at the same time.
    if (payment.method !== method) throw new DomainError('CONFLICT')
    if (choice) {
      const found = await this.crypto.address(payment, choice)
      await this.giveTimeFor(id, party.userId, method)
      const first = await this.payments.keepBegun(key, payment, now)
      return first.paymentId === payment.id ? this.cryptoAnswerOf(found) : this.answerAgain(first.paymentId, party)
    }
    const known = await (payment.intentId
      ? this.openIntent(payment.intentId, party.email)
      : this.createIntent(payment, party.email))
    const intent = await this.withSavedCards(payment, known)
    await this.giveTimeFor(id, party.userId, method)
    const first = await this.payments.keepBegun(key, payment, now)
    if (first.paymentId !== payment.id) return this.answerAgain(first.paymentId, party)
    return this.answerOf(await this.payments.get(payment.id), intent)
  }

  /**
   * The answer to a repeated key, made of what is true now. The secret with which the browser pays is not stored, so the provider is asked.
   *
   * @throws DomainError `CONFLICT` when the payment was closed; `PAYMENT_PROVIDER_UNAVAILABLE`; `RATE_LIMITED`
   */
  private async answerAgain(
    paymentId: string,
    { userId, email }: Party & { readonly email: string | null },
  ): Promise<z.input<typeof Payment>> {
    await this.begunByUser.count(userId)
    const payment = await this.payments.get(paymentId)
    if (payment.method === 'crypto') {
      const found = await this.crypto.find(paymentId)
      if (!found || isClosed(found.payment)) throw closedPayment()
      return this.cryptoAnswerOf(found)
    }
    if (!payment.intentId) throw new Error(`payment ${paymentId} was answered for without an intent`)
    const intent = await this.openIntent(payment.intentId, email)
    // The event may be late, or lost.
    if (intent.state === 'cancelled') await this.funds.recordCancelled(intent)
    if (intent.state === 'succeeded') await this.funds.recordRetrieved(intent)
    const now = await this.payments.get(paymentId)
    if (intent.state === 'cancelled' || isClosed(now)) throw closedPayment()
    return this.answerOf(now, await this.withSavedCards(now, intent))
  }

  /** The intent of a payment that was begun before. Its payer gets the address that the buyer has now. */
  private async openIntent(intentId: string, payerEmail: string | null): Promise<Intent> {
    const intent = await this.provider.getIntent(intentId)
    if (payerEmail !== null && intent.customerId !== null) await this.provider.setAddress(intent.customerId, payerEmail)
    return intent
  }

  /**
   * Lets the buyer's saved cards pay an intent. That is no part of its creation: a repeated creation must send what the first one sent,
   * and the buyer may have saved their first card since.
   */
  private async withSavedCards({ method, userId }: PaymentEntity, intent: Intent): Promise<Intent> {
    if (method !== 'card' || intent.state !== 'open' || intent.holderId !== null) return intent
    return this.customers.letPay(userId, intent)
  }

  /**
   * Closes the open payment when the buyer now chooses another way to pay. What has arrived of a bank transfer is returned.
   *
   * @throws DomainError `PAYMENT_IN_PROGRESS` while the provider works on it, `CONFLICT` when it has succeeded
   */
  private async closeOtherMethod(dealId: number, method: PaymentMethod): Promise<void> {
    const open = await this.payments.findOpen(dealId)
    if (!open || open.method === method) return
    const state = await this.closeOpenPayment(dealId)
    if (state === 'processing') throw new DomainError('PAYMENT_IN_PROGRESS')
    if (state === 'succeeded') throw new DomainError('CONFLICT')
  }

  /** A bank transfer takes days, and cryptocurrency may: the payment window is extended. */
  private async giveTimeFor(dealId: number, userId: string, method: PaymentMethod): Promise<void> {
    if (method === 'card') return
    const given = { daySeconds: this.config.DAY_SECONDS }
    const outcome = await this.deals.change(dealId, `user:${userId}`, deal => extendPaymentWindow(deal, method, given))
    if (outcome) this.deadlines.notice(outcome)
  }

  /**
   * Cancels the deal's open payment at the provider, before the deal is cancelled.
   *
   * @returns `closed` when no payment is open any more; `succeeded` when the provider has the money already, which is then
   * recorded; `processing` when the provider cannot cancel the payment now
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async closeOpenPayment(dealId: number): Promise<'closed' | 'succeeded' | 'processing'> {
    const open = await this.payments.findOpen(dealId)
    if (!open) return 'closed'
    if (open.method === 'crypto') return this.crypto.close(open)
    const intentId = open.intentId ?? (await this.resume(open))?.id
    if (!intentId) return 'closed'
    const intent = await this.provider.cancelIntent(intentId)
    switch (intent.state) {
      case 'cancelled':
        await this.funds.recordCancelled(intent)
        return 'closed'
      case 'succeeded':
        await this.funds.recordRetrieved(intent)
        return 'succeeded'
      case 'open':
      case 'processing':
        return 'processing'
    }
  }

  /** Creates the payment's intent and records it. @throws DomainError `PAYMENT_METHOD_UNAVAILABLE` when it is refused */
  private async createIntent(payment: PaymentEntity, payerEmail: string | null): Promise<Intent> {
    try {
      const intent = await this.attemptIntent(payment, payerEmail)
      const recordedId = await this.payments.recordIntent(payment, intent, this.clock.now())
      if (recordedId === intent.id) return intent
      // Another attempt was recorded first. The buyer must pay that one.
      await this.provider.cancelIntent(intent.id)
      return this.provider.getIntent(recordedId)
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      await this.payments.markRefused(payment.id, error.message, this.clock.now())
      this.log.warn({ err: error, paymentId: payment.id }, 'the provider refused a payment')
      const words = refusedWords(payment.method)
      throw new DomainError('PAYMENT_METHOD_UNAVAILABLE', { fields: { method: words } }, words)
    }
  }

  /**
   * Creates an intent, or finds the one that a failed attempt has created. After a failed attempt it tries once more, under
   * another idempotency key.
   *
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  private async attemptIntent(payment: PaymentEntity, payerEmail: string | null): Promise<Intent> {
    let current = payment
    for (let attempt = 0; attempt < ATTEMPTS_AT_ONCE; attempt++) {
      try {
        return await this.provider.createIntent({ ...current, payerEmail })
      } catch (error) {
        if (!(error instanceof AttemptFailed)) throw error
        this.log.warn({ err: error, paymentId: payment.id, attempt: current.attempt }, 'an attempt to pay has failed')
        const made = (await this.provider.findIntents(payment.id)).find(({ state }) => state !== 'cancelled')
        if (made) return made
        current = await this.payments.beginNextAttempt(current, CHECK_AFTER_MS)
      }
    }
    throw new DomainError('PAYMENT_PROVIDER_UNAVAILABLE')
  }

  /** The payments for which lost intents of failed attempts are to be looked for within a time from now. */
  dueChecks(aheadMs: number, limit: number) {
    return this.payments.listToCheck(aheadMs, limit)
  }

  /** Cancels the intents that failed attempts of a payment have created at the provider. No buyer was given them. */
  async cancelLostIntents(id: string): Promise<void> {
    const payment = await this.payments.findToCheck(id)
    if (!payment) return
    await this.payments.setCheck(id, CHECK_AFTER_MS)
    // An attempt may still be running. Its intent is recorded when the provider answers.
    if (payment.status === 'creating') return
    for (const intent of await this.provider.findIntents(id))
      if (intent.id !== payment.intentId && intent.state === 'open') await this.provider.cancelIntent(intent.id)
    await this.payments.setCheck(id, null)
  }

  /**
   * Creates the intent of a payment after a crash before the provider answered; null when the provider refuses it. No buyer pays it: it is
   * created to be closed.
   */
  private async resume(payment: PaymentEntity): Promise<Intent | null> {
    try {
      return await this.createIntent(payment, null)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'PAYMENT_METHOD_UNAVAILABLE') return null
      throw error
    }
  }

  /** The deal, if this user may pay for it now. */
  private async getPayable(id: number, userId: string): Promise<Deal> {
    const deal = await this.deals.find(id)
    const role = deal && partyOf(deal, userId)
    if (!deal || !role) throw new DomainError('TRANSACTION_NOT_FOUND')
    if (role !== 'buyer') throw new DomainError('FORBIDDEN')
    // A payment may be secured first, so paying is possible exactly when that command is.
    assertAllowed('secureFunds', 'provider', deal.status)
    return deal
  }

  private cryptoAnswerOf({ payment, crypto }: PaymentInCrypto): z.input<typeof Payment> {
    return {
      paymentId: payment.id,
      provider: 'coinify',
      providerUrl: this.config.COINIFY_API_URL,
      status: payment.status === 'creating' ? 'open' : payment.status,
      depositAddress: crypto.depositAddress,
      cryptoPayment: cryptoPaymentOf(payment, crypto, this.clock.now()),
      total: formatAmount(payment.amountMinor, payment.currency),
      currency: payment.currency,
    }
  }

  /** The client's view of a payment. */
  private answerOf(payment: PaymentEntity, { clientSecret }: Intent): z.input<typeof Payment> {
    const bankTransfer = bankTransferOf(payment)
    const { STRIPE_PUBLIC_URL: providerUrl, STRIPE_PUBLISHABLE_KEY: publishableKey } = this.config
    return {
      paymentId: payment.id,
      provider: 'stripe',
      providerUrl,
      status: payment.status === 'creating' ? 'open' : payment.status,
      // A bank transfer is confirmed already: the browser has nothing to do at the provider.
      ...(bankTransfer ? { bankTransfer } : { ...(clientSecret && { clientSecret }), publishableKey }),
      total: formatAmount(payment.amountMinor, payment.currency),
      currency: payment.currency,
    }
  }
}
