import { isCurrency } from '@holdfast/kernel/money'
import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import type { Deadline } from '@holdfast/timers/deadline'
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, IsNull } from 'typeorm'
import type { EscrowConfig } from '../config.js'
import { providerFee } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { CardsUsed } from './cards-used.js'
import { CryptoPaymentsService } from './crypto/crypto-payments.service.js'
import { PaymentEntity } from './payment.entity.js'
import { StripeProvider } from './stripe.provider.js'

/** When the provider does not know the fee yet, we ask again after this time. */
const RETRY_MS = 60_000
/** The crypto processor says within this time how much it credits. Otherwise an operator must look. */
const CREDIT_WITHIN_DAYS = 2

/** Posts the provider's fee of each charge. It is read some time after the payment, so that no deal waits for it. */
@Injectable()
export class ProviderFeesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    private readonly crypto: CryptoPaymentsService,
    private readonly cards: CardsUsed,
    @Inject(CONFIG) private readonly config: EscrowConfig,
    private readonly clock: Clock,
  ) {}

  /** The payments whose fee is to be read within a time from now. The earliest due time comes first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.payments.find({
      where: { feeDueAt: dueWithin(aheadMs), providerFeeMinor: IsNull() },
      order: { feeDueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.feeDueAt as Date }))
  }

  /** Reads the fee of one payment's charge and posts it, once. */
  async record(paymentId: string): Promise<void> {
    const payment = await this.payments.findOneBy({
      id: paymentId,
      providerFeeMinor: IsNull(),
      feeDueAt: dueWithin(0),
    })
    if (!payment) return
    const now = this.clock.now()
    // The next attempt is set first: if this one fails, the fee is read again later.
    await this.payments.update({ id: paymentId, providerFeeMinor: IsNull() }, { feeDueAt: fromNow(RETRY_MS) })
    const fee = await this.feeOf(payment)
    if (!fee) return this.giveUpInCrypto(payment, await databaseTime(this.dataSource))
    const { feeMinor, currency } = fee
    // The provider takes its fee in the currency of our account there, which may be another than the payment's.
    if (!isCurrency(currency)) throw new Error(`the fee of payment ${paymentId} is in ${currency}, which is not known`)
    await this.dataSource.transaction(async manager => {
      const { affected } = await manager.update(
        PaymentEntity,
        { id: paymentId, providerFeeMinor: IsNull() },
        { providerFeeMinor: feeMinor, feeDueAt: null, updatedAt: now },
      )
      if (affected === 1)
        await postEntry(manager, payment.transactionId, currency, providerFee(feeMinor, payment.method), now)
    })
  }

  /** The provider's fee of a payment; null while it is not known. Of a card, what the provider says about it is kept as well. */
  private async feeOf(
    payment: PaymentEntity,
  ): Promise<{ readonly feeMinor: bigint; readonly currency: string } | null> {
    if (payment.method === 'crypto') return this.crypto.feeOf(payment)
    const chargeId =
      payment.chargeId ?? (payment.intentId && (await this.provider.getIntent(payment.intentId)).chargeId)
    if (!chargeId) return null
    const { fee, card } = await this.provider.chargeOf(chargeId)
    if (card) await this.cards.keep(payment.id, card)
    return fee
  }

  /** A card's charge always names its fee some day. The crypto processor tells how much it credits once, by an event that may be lost. */
  private async giveUpInCrypto(payment: PaymentEntity, now: Date): Promise<void> {
    const { method, updatedAt } = payment
    const waitedMs = now.getTime() - updatedAt.getTime()
    if (method === 'crypto' && waitedMs > CREDIT_WITHIN_DAYS * this.config.DAY_SECONDS * 1000)
      await this.crypto.giveUpFee(payment)
  }

  private get payments() {
    return this.dataSource.getRepository(PaymentEntity)
  }
}
