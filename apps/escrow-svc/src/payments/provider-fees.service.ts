import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, IsNull, LessThanOrEqual } from 'typeorm'
import { providerFee } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { PaymentEntity } from './payment.entity.js'
import { StripeProvider } from './stripe.provider.js'

/** A fee the provider could not tell yet is asked for again after this. */
const RETRY_MS = 60_000

/** Posts what the provider kept of each charge. It is asked for afterwards: a deal does not wait for its cost. */
@Injectable()
export class ProviderFeesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: StripeProvider,
    private readonly clock: Clock,
  ) {}

  async due(before: Date, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    const rows = await this.payments.find({
      where: { feeDueAt: LessThanOrEqual(before), providerFeeMinor: IsNull() },
      order: { feeDueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.feeDueAt as Date }))
  }

  /** Asks for one charge's fee and posts it, once. */
  async record(paymentId: string): Promise<void> {
    const payment = await this.payments.findOneBy({ id: paymentId, providerFeeMinor: IsNull() })
    const now = this.clock.now()
    if (!payment?.feeDueAt || payment.feeDueAt > now) return
    // Whatever happens to this question, the next one comes later.
    await this.payments.update(
      { id: paymentId, providerFeeMinor: IsNull() },
      { feeDueAt: new Date(now.getTime() + RETRY_MS) },
    )
    const chargeId =
      payment.chargeId ?? (payment.intentId && (await this.provider.getIntent(payment.intentId)).chargeId)
    const feeMinor = chargeId ? await this.provider.feeOf(chargeId) : null
    if (feeMinor === null) return
    await this.dataSource.transaction(async manager => {
      const { affected } = await manager.update(
        PaymentEntity,
        { id: paymentId, providerFeeMinor: IsNull() },
        { providerFeeMinor: feeMinor, feeDueAt: null, updatedAt: now },
      )
      if (affected === 1) await postEntry(manager, payment.transactionId, payment.currency, providerFee(feeMinor), now)
    })
  }

  private get payments() {
    return this.dataSource.getRepository(PaymentEntity)
  }
}
