import type { Payment } from '@holdfast/contracts/payments'
import type { TransactionState } from '@holdfast/contracts/transactions'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/transactions'
import { Clock } from '@holdfast/service-kit/clock'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { Settings } from '../settings.js'
import { buyerTotalMinor, partyOf, type Transaction } from '../transactions/domain/transaction.js'
import { assertAllowed } from '../transactions/domain/transitions.js'
import { hashInput, TransactionsRepository } from '../transactions/transactions.repository.js'
import { type Party, TransactionsService } from '../transactions/transactions.service.js'
import { FundsService } from './funds.service.js'
import type { PaymentEntity } from './payment.entity.js'
import { PaymentsRepository } from './payments.repository.js'
import { type Intent, StripeProvider } from './stripe.provider.js'

/** Scopes idempotency keys to this command. */
const ROUTE = 'payments'

/**
 * Beginning to pay, and taking it back. The intent to ask the provider is committed first (a payment row), the provider
 * is asked with that row's id, then the answer is recorded: a crash between any two steps is resumed by the same id.
 */
@Injectable()
export class PaymentsService {
  constructor(
    private readonly transactions: TransactionsRepository,
    private readonly commands: TransactionsService,
    private readonly payments: PaymentsRepository,
    private readonly funds: FundsService,
    private readonly provider: StripeProvider,
    private readonly settings: Settings,
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
    return this.commands.cancel(id, party)
  }

  /**
   * Closes what is open at the provider before a deal is cancelled. A payment that turns out to have succeeded is
   * recorded as funds instead: the provider's word, not our clock, decides.
   */
  async closeOpenPayment(transactionId: number): Promise<'closed' | 'succeeded' | 'processing'> {
    const open = await this.payments.findOpen(transactionId)
    if (!open) return 'closed'
    const { intentId } = open.intentId ? open : await this.askProvider(open)
    const intent = await this.provider.cancelIntent(intentId as string)
    if (intent.state === 'cancelled') await this.payments.markCancelled(open.id, this.clock.now())
    else if (intent.state === 'succeeded') await this.funds.recordAsked(intent)
    else return 'processing'
    return intent.state === 'cancelled' ? 'closed' : 'succeeded'
  }

  private async askProvider(payment: PaymentEntity): Promise<PaymentEntity> {
    const intent: Intent = await this.provider.createIntent(payment)
    return this.payments.recordIntent(payment, intent, this.clock.now())
  }

  private async ofBuyer(id: number, userId: string): Promise<Transaction> {
    const transaction = await this.transactions.find(id)
    const role = transaction && partyOf(transaction, userId)
    if (!transaction || !role) throw new DomainError('TRANSACTION_NOT_FOUND')
    if (role !== 'buyer') throw new DomainError('FORBIDDEN')
    // Paying is the first half of what `recordFunds` completes: it is open wherever that is.
    assertAllowed('recordFunds', 'provider', transaction.status)
    return transaction
  }

  private answerOf(payment: PaymentEntity): z.input<typeof Payment> {
    const { publicUrl, publishableKey } = this.settings.payments
    return {
      paymentId: payment.id,
      provider: 'stripe',
      providerUrl: publicUrl,
      status: payment.status === 'creating' ? 'open' : payment.status,
      ...(payment.clientSecret && { clientSecret: payment.clientSecret }),
      publishableKey,
      total: formatAmount(payment.amountMinor, payment.currency),
      currency: payment.currency,
    }
  }
}
