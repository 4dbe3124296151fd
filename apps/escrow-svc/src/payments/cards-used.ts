import type { CardUsed } from '@holdfast/contracts/receipts'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, IsNull } from 'typeorm'
import { PaymentEntity } from './payment.entity.js'
import { PaymentsRepository } from './payments.repository.js'
import { StripeProvider } from './stripe.provider.js'

/** How long a receipt waits for the provider. Without an answer the receipt names no card. */
const WAIT_MS = 2_000
/** The provider is asked about the card of a payment at most once in this time. */
const ASK_EVERY_MS = 30_000

/**
 * The cards with which payments were made. The provider's event about a payment does not name the card. It is kept with the provider's
 * fee, minutes after the payment, or when a receipt is read before.
 */
@Injectable()
export class CardsUsed {
  private readonly log = loggerOf('cards-used')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    private readonly payments: PaymentsRepository,
    private readonly clock: Clock,
  ) {}

  /** Keeps the card of a payment, unless one is known. */
  async keep(paymentId: string, { brand, last4 }: CardUsed): Promise<void> {
    await this.dataSource
      .getRepository(PaymentEntity)
      .update({ id: paymentId, cardBrand: IsNull() }, { cardBrand: brand, cardLast4: last4 })
  }

  /** The card of a payment; null for another method, and when the provider does not tell it in time. */
  async of(payment: PaymentEntity): Promise<CardUsed | null> {
    const { cardBrand, cardLast4, method, status } = payment
    if (cardBrand !== null && cardLast4 !== null) return { brand: cardBrand, last4: cardLast4 }
    if (method !== 'card' || status !== 'succeeded') return null
    const asked = this.ask(payment)
    return (await isDoneWithin(WAIT_MS, asked)) ? asked : null
  }

  private async ask({ id, intentId, chargeId }: PaymentEntity): Promise<CardUsed | null> {
    const now = this.clock.now()
    try {
      if (!(await this.payments.claimAsking(id, new Date(now.getTime() - ASK_EVERY_MS), now))) return null
      const charge = chargeId ?? (intentId && (await this.provider.getIntent(intentId)).chargeId)
      if (!charge) return null
      const { card } = await this.provider.chargeOf(charge)
      if (card) await this.keep(id, card)
      return card
    } catch (error) {
      this.log.warn({ err: error, paymentId: id }, 'the provider could not be asked about the card of a payment')
      return null
    }
  }
}
