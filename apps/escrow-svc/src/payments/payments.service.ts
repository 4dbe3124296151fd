import type { Payment } from '@holdfast/contracts/payments'
import type { TransactionState } from '@holdfast/contracts/transactions'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Inject, Injectable } from '@nestjs/common'
import type { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { DealsRepository, hashInput } from '../deals/deals.repository.js'
import { DealsService, type Party } from '../deals/deals.service.js'
import { buyerTotalMinor, type Deal, partyOf } from '../deals/domain/deal.js'
import { assertAllowed } from '../deals/domain/transitions.js'
import { FundsService } from './funds.service.js'
import type { PaymentEntity } from './payment.entity.js'
import { PaymentsRepository } from './payments.repository.js'
import type { Intent } from './provider-words.js'
import { PaymentRefused, StripeProvider } from './stripe.provider.js'

/** What the buyer reads when the provider does not take a payment, such as one above a card's limit. */
const REFUSED = 'The payment provider does not accept this payment by card.'

/** Scopes idempotency keys to this command. */
const ROUTE = 'payments'

/**
 * Beginning to pay, and taking it back. The intent to ask the provider is committed first (a payment row), the provider
 * is asked with that row's id, then the answer is recorded: a crash between any two steps is resumed by the same id.
 */
@Injectable()
export class PaymentsService {
  private readonly log = loggerOf('payments')

  constructor(
    private readonly transactions: DealsRepository,
    private readonly commands: DealsService,
    private readonly payments: PaymentsRepository,
    private readonly funds: FundsService,
    private readonly provider: StripeProvider,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Begins to pay for a deal, or takes up the payment that is open. The same key gives the same answer.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`, `FORBIDDEN` for the seller, `ESCROW_WRONG_STATE`,
   * `PAYMENT_METHOD_UNAVAILABLE`, `PAYMENT_PROVIDER_UNAVAILABLE`, `IDEMPOTENCY_KEY_REUSED`
   */
  async begin(
    id: number,
    party: Party & { readonly key: string },
    input: { method: PaymentMethod },
  ): Promise<z.input<typeof Payment>> {
    const key = { userId: party.userId, route: ROUTE, key: party.key, inputHash: hashInput([id, input]) }
    const seen = await this.transactions.findAnswer(id, key)
    if (seen !== undefined) return seen as z.input<typeof Payment>
    const transaction = await this.ofBuyer(id, party.userId)
    if (input.method !== 'card')
      throw new DomainError('PAYMENT_METHOD_UNAVAILABLE', { fields: { method: 'Pay by card' } })

    const now = this.clock.now()
    const payment = await this.payments.findOrOpen({
      id: newId(),
      transactionId: id,
      userId: party.userId,
      method: input.method,
      amountMinor: buyerTotalMinor(transaction),
      currency: transaction.currency,
      now,
    })
    const opened = payment.intentId ? payment : await this.askProvider(payment)
    const answer = this.answerOf(opened)
    return (await this.payments.keepAnswer(key, answer, now)) as z.input<typeof Payment>
  }

  /** Cancels a deal on behalf of a party: first whatever payment is open, at the provider, then the deal. */
  async cancelDeal(id: number, party: Party): Promise<TransactionState> {
    const transaction = await this.transactions.find(id)
    const role = transaction && partyOf(transaction, party.userId)
    if (!transaction || !role) throw new DomainError('TRANSACTION_NOT_FOUND')
    if (transaction.status === 'pending') {
      assertAllowed('cancel', role, transaction.status)
      if ((await this.closeOpenPayment(id)) === 'processing') throw new DomainError('PAYMENT_IN_PROGRESS')
    }
    const state = await this.commands.cancel(id, party)
    await this.closeLeftOver(id)
    return state
  }

  /**
   * Closes a payment that began while its deal was being cancelled. The deal is over whatever comes of this: money that
   * arrives all the same is sent back.
   */
  async closeLeftOver(transactionId: number): Promise<void> {
    try {
      await this.closeOpenPayment(transactionId)
    } catch (error) {
      this.log.warn({ err: error, transactionId }, 'a payment for a cancelled deal could not be closed')
    }
  }

  /**
   * Closes what is open at the provider before a deal is cancelled. A payment that turns out to have succeeded is
   * recorded as funds instead: the provider's word, not our clock, decides.
   */
  async closeOpenPayment(transactionId: number): Promise<'closed' | 'succeeded' | 'processing'> {
    const open = await this.payments.findOpen(transactionId)
    if (!open) return 'closed'
    const intentId = open.intentId ?? (await this.resume(open))
    if (!intentId) return 'closed'
    const intent = await this.provider.cancelIntent(intentId)
    if (intent.state === 'cancelled') await this.payments.markCancelled(open.id, this.clock.now())
    else if (intent.state === 'succeeded') await this.funds.recordAsked(intent)
    else return 'processing'
    return intent.state === 'cancelled' ? 'closed' : 'succeeded'
  }

  /** @throws DomainError `PAYMENT_METHOD_UNAVAILABLE` when the provider never takes such a payment */
  private async askProvider(payment: PaymentEntity): Promise<PaymentEntity> {
    try {
      const intent: Intent = await this.provider.createIntent(payment)
      return await this.payments.recordIntent(payment, intent, this.clock.now())
    } catch (error) {
      if (!(error instanceof PaymentRefused)) throw error
      await this.payments.markRefused(payment.id, error.message, this.clock.now())
      this.log.warn({ err: error, paymentId: payment.id }, 'the provider refuses a payment')
      throw new DomainError('PAYMENT_METHOD_UNAVAILABLE', { fields: { method: REFUSED } }, REFUSED)
    }
  }

  /** The intent of a payment that nobody finished beginning; null when the provider refuses it, so that there is none. */
  private async resume(payment: PaymentEntity): Promise<string | null> {
    try {
      return (await this.askProvider(payment)).intentId
    } catch (error) {
      if (error instanceof DomainError && error.code === 'PAYMENT_METHOD_UNAVAILABLE') return null
      throw error
    }
  }

  private async ofBuyer(id: number, userId: string): Promise<Deal> {
    const transaction = await this.transactions.find(id)
    const role = transaction && partyOf(transaction, userId)
    if (!transaction || !role) throw new DomainError('TRANSACTION_NOT_FOUND')
    if (role !== 'buyer') throw new DomainError('FORBIDDEN')
    // Paying is the first half of what `recordFunds` completes: it is open wherever that is.
    assertAllowed('recordFunds', 'provider', transaction.status)
    return transaction
  }

  private answerOf(payment: PaymentEntity): z.input<typeof Payment> {
    return {
      paymentId: payment.id,
      provider: 'stripe',
      providerUrl: this.config.STRIPE_PUBLIC_URL,
      status: payment.status === 'creating' ? 'open' : payment.status,
      ...(payment.clientSecret && { clientSecret: payment.clientSecret }),
      publishableKey: this.config.STRIPE_PUBLISHABLE_KEY,
      total: formatAmount(payment.amountMinor, payment.currency),
      currency: payment.currency,
    }
  }
}
