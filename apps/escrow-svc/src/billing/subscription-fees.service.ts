import { isCurrency } from '@holdfast/kernel/money'
import { databaseTime, dueWithin, fromNow } from '@holdfast/service-kit/database/database-time'
import type { Deadline } from '@holdfast/timers/deadline'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, IsNull } from 'typeorm'
import { providerFee } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import { InvoiceReturnsService } from './invoice-returns.service.js'
import { InvoiceEntity } from './subscription.entity.js'
import { SubscriptionsProvider } from './subscriptions.provider.js'

/** When the provider does not know the fee yet, we ask again after this time. */
const RETRY_MS = 60_000

/** Posts the provider's fee of each invoice that was paid. */
@Injectable()
export class SubscriptionFeesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: SubscriptionsProvider,
    private readonly returns: InvoiceReturnsService,
  ) {}

  /** The invoices whose fee is to be read within a time from now, the earliest first. */
  async due(aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.invoices.find({
      where: { feeDueAt: dueWithin(aheadMs), providerFeeMinor: IsNull() },
      order: { feeDueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: row.id, dueAt: row.feeDueAt as Date }))
  }

  /**
   * Reads the fee of one invoice's payment and posts it, once. What went back of the payment is asked for, too: an event about it may have
   * come before we knew of the payment.
   */
  async record(id: string): Promise<void> {
    const isDue = { id, providerFeeMinor: IsNull(), feeDueAt: dueWithin(0) }
    const { affected: claimed } = await this.invoices.update(isDue, { feeDueAt: fromNow(RETRY_MS) })
    if (claimed !== 1) return
    const { intentId } = await this.invoices.findOneByOrFail({ id })
    if (intentId === null) {
      // No payment of the provider has paid it, so there is no fee.
      await this.invoices.update({ id }, { feeDueAt: null })
      return
    }
    const fee = await this.provider.feeOf(intentId)
    if (!fee) return
    const { feeMinor, currency } = fee
    await this.returns.record(id)
    if (!isCurrency(currency)) throw new Error(`the fee of invoice ${id} is in ${currency}, which is not known`)
    await this.dataSource.transaction(async manager => {
      const change = { providerFeeMinor: feeMinor, feeDueAt: null }
      const { affected } = await manager.update(InvoiceEntity, { id, providerFeeMinor: IsNull() }, change)
      if (affected === 1)
        await postEntry(manager, null, currency, providerFee(feeMinor, 'card'), await databaseTime(manager))
    })
  }

  private get invoices() {
    return this.dataSource.getRepository(InvoiceEntity)
  }
}
