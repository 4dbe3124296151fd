import { DomainError } from '@holdfast/kernel/errors'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import { UnhandledEvents } from '../unhandled-events.js'
import { type EventBody, inMinor, toWithdrawal, WithdrawalAnswer } from './coinify-objects.js'
import { CryptoFundsService } from './crypto-funds.service.js'
import { CryptoPaymentsRepository } from './crypto-payments.repository.js'
import { CryptoProcessor } from './crypto-processor.js'
import { CryptoRefundsService } from './crypto-refunds.service.js'

type Event = z.output<typeof EventBody>

/** Handles the signed events of the crypto processor. When `receive` returns, the effect is committed. */
@Injectable()
export class CryptoEventsService {
  constructor(
    private readonly processor: CryptoProcessor,
    private readonly rows: CryptoPaymentsRepository,
    private readonly funds: CryptoFundsService,
    private readonly refunds: CryptoRefundsService,
    private readonly unhandled: UnhandledEvents,
    private readonly clock: Clock,
  ) {}

  /** @throws DomainError `WEBHOOK_SIGNATURE_INVALID`, `MALFORMED_REQUEST`, `UNAVAILABLE` when the processor must resend it */
  async receive(raw: Buffer, signature: string | undefined): Promise<void> {
    const event = this.processor.readEvent(raw, signature)
    switch (event.event) {
      case 'payment-intent.completed':
      case 'payment-intent.failed':
        return this.recordPayment(event)
      case 'withdrawal.created':
      case 'withdrawal.completed':
        return this.recordWithdrawal(event)
      default:
        return this.unhandled.keep({ kind: 'unhandled', id: `coinify_${event.id}`, type: `coinify.${event.event}` })
    }
  }

  /** The event says that a payment has ended. How it has ended is asked, so that an event that comes late changes nothing back. */
  private async recordPayment(event: Event): Promise<void> {
    const { context } = event
    const found = await this.rows.findByIntent(context.id)
    if (!found) {
      // We crashed before recording the intent. The processor sends the event again after this error.
      if (await this.isCreating(context)) throw new DomainError('UNAVAILABLE')
      return this.keepUnfitting(event)
    }
    const intent = await this.processor.getIntent(context.id, found.crypto.asset)
    await this.recordCredit(found.payment.id, event)
    await this.funds.record(found, intent, event.id)
  }

  private async isCreating({ orderId }: Event['context']): Promise<boolean> {
    return typeof orderId === 'string' && /^[0-9a-f-]{36}$/.test(orderId) && this.rows.isCreating(orderId)
  }

  /** What the processor credits is what was asked for, less its fee. */
  private async recordCredit(paymentId: string, event: Event): Promise<void> {
    const { creditAmount, creditCurrency } = event.context
    if (creditAmount === undefined) return
    if (creditCurrency !== 'USD') return this.keepUnfitting(event)
    await this.rows.recordCredit(paymentId, inMinor(creditAmount, creditCurrency), this.clock.now())
  }

  private async recordWithdrawal(event: Event): Promise<void> {
    const parsed = WithdrawalAnswer.safeParse(event.context)
    if (!parsed.success) throw new DomainError('MALFORMED_REQUEST')
    if (await this.refunds.record(toWithdrawal(parsed.data))) return
    return this.keepUnfitting(event)
  }

  private keepUnfitting({ id, event }: Event): Promise<void> {
    return this.unhandled.keepUnfitting(`coinify_${id}`, `coinify.${event}`)
  }
}
