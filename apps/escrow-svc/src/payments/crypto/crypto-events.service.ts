import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import type { z } from 'zod'
import type { PaymentEntity } from '../payment.entity.js'
import { UnhandledEvents } from '../unhandled-events.js'
import { type EventBody, findMinor } from './coinify-objects.js'
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
  ) {}

  /** @throws DomainError `WEBHOOK_SIGNATURE_INVALID`, `MALFORMED_REQUEST`; `UNAVAILABLE` and
   * `PAYMENT_PROVIDER_UNAVAILABLE` when the processor must resend it */
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
    // The payment is recorded first, because the deal waits for it. The credit concerns only our books.
    await this.funds.ask(found)
    await this.recordCredit(found.payment, event)
  }

  private async isCreating({ orderId }: Event['context']): Promise<boolean> {
    return typeof orderId === 'string' && /^[0-9a-f-]{36}$/.test(orderId) && this.rows.isCreating(orderId)
  }

  /** What the processor credits is what was asked for, less its fee. An operator must look at any other credit. */
  private async recordCredit({ id, amountMinor }: PaymentEntity, { context, ...event }: Event): Promise<void> {
    const { creditAmount, creditCurrency } = context
    if (creditAmount === undefined) return
    const creditedMinor = findMinor(creditAmount, creditCurrency)
    if (creditedMinor === null || creditedMinor > amountMinor)
      return this.unhandled.keepUnfitting(`coinify_${event.id}_credit`, 'coinify.credit')
    await this.rows.recordCredit(id, creditedMinor)
  }

  /** The event says only which withdrawal it is about. What became of it is asked. */
  private async recordWithdrawal(event: Event): Promise<void> {
    if (await this.refunds.record(await this.processor.getWithdrawal(event.context.id))) return
    return this.keepUnfitting(event)
  }

  private keepUnfitting({ id, event }: Event): Promise<void> {
    return this.unhandled.keepUnfitting(`coinify_${id}`, `coinify.${event}`)
  }
}
