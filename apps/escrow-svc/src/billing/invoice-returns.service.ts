import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'
import { chargebackFee, chargebackFeeReturned, subscriptionReturned } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import type { ProviderReturns } from './billing-objects.js'
import { InvoiceEntity, lockSubscription } from './subscription.entity.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'
import { SubscriptionsProvider } from './subscriptions.provider.js'

/**
 * Records what went back of the invoices of Premium, by a refund at the provider or by the payer's bank, and what follows for the ledger and
 * for Premium. Events come twice, late, never and in any order, so the provider is asked for everything that went back.
 */
@Injectable()
export class InvoiceReturnsService {
  private readonly log = loggerOf('subscriptions')

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly provider: SubscriptionsProvider,
    private readonly progress: SubscriptionProgressService,
  ) {}

  /**
   * Records what went back of the invoice that an intent has paid.
   *
   * @returns false when the intent has paid no invoice of ours, or when its money left in another currency
   * @throws DomainError `PAYMENT_PROVIDER_UNAVAILABLE`: then the provider sends the event again
   */
  async recordByIntent(intentId: string | null): Promise<boolean> {
    const invoice = intentId === null ? null : await this.findPaid(intentId)
    return invoice !== null && this.record(invoice.id)
  }

  /** Records what went back of one invoice. Returns and throws as `recordByIntent`. */
  async record(invoiceId: string): Promise<boolean> {
    const [[asked]]: [{ ask: number; intent_id: string; subscription_id: string; currency: string }[]] =
      await this.dataSource.query(ASK, [invoiceId])
    if (!asked) return false
    const found = await this.provider.returnsOf(asked.intent_id)
    if (found.currency !== null && found.currency !== asked.currency) return false
    await this.dataSource.transaction(manager =>
      this.write(manager, asked.subscription_id, invoiceId, asked.ask, found),
    )
    return true
  }

  private async write(
    manager: EntityManager,
    subscriptionId: string,
    invoiceId: string,
    ask: number,
    found: ProviderReturns,
  ): Promise<void> {
    const row = await lockSubscription(manager, subscriptionId)
    const before = await manager.findOneByOrFail(InvoiceEntity, { id: invoiceId })
    if (before.recordedReturnAsk >= ask) return
    const { refundedMinor, chargedBackMinor, isChargebackLost, chargebackFeeMinor } = found
    const after = { refundedMinor, chargedBackMinor, isChargebackLost, chargebackFeeMinor }
    await manager.update(InvoiceEntity, { id: invoiceId }, { ...after, recordedReturnAsk: ask })
    const now = await databaseTime(manager)
    const returnedMinor = refundedMinor + chargedBackMinor - before.refundedMinor - before.chargedBackMinor
    if (returnedMinor !== 0n) await postEntry(manager, null, before.currency, subscriptionReturned(returnedMinor), now)
    const fee = chargebackFeeMinor - before.chargebackFeeMinor
    if (fee !== 0n)
      await postEntry(manager, null, before.currency, fee > 0n ? chargebackFee(fee) : chargebackFeeReturned(-fee), now)
    if (returnedMinor !== 0n)
      this.log.warn({ invoiceId, ...printable(after) }, 'money of an invoice of Premium went back, or came to us again')
    const isOver = row.status === 'ended' || row.endsAtOnce
    if (returnedMinor < 0n && isOver && before.periodEndsAt > now) this.progress.reportUselessPayment(row.id, invoiceId)
    await this.progress.applyReturns(manager, row, chargedBackMinor > before.chargedBackMinor, now)
  }

  /**
   * The invoice that an intent has paid. The event of a refund may come before that of the payment: then the provider is asked about the user's
   * subscriptions first.
   */
  private async findPaid(intentId: string): Promise<InvoiceEntity | null> {
    const paidBy = { intentId, status: 'paid' } as const
    const known = await this.invoices.findOneBy(paidBy)
    if (known) return known
    const customerId = await this.provider.findCustomer(intentId)
    if (customerId === null) return null
    const open: { id: string }[] = await this.dataSource.query(OPEN_OF_CUSTOMER, [customerId])
    for (const { id } of open) await this.progress.ask(id)
    return this.invoices.findOneBy(paidBy)
  }

  private get invoices() {
    return this.dataSource.getRepository(InvoiceEntity)
  }
}

const printable = (amounts: Record<string, bigint | boolean>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, value]) => [name, String(value)]))

const ASK = `UPDATE subscription_invoice SET return_asks = return_asks + 1
  WHERE id = $1 AND status = 'paid' AND intent_id IS NOT NULL
  RETURNING return_asks AS ask, intent_id, subscription_id, currency`

// A user has one subscription that has not ended.
const OPEN_OF_CUSTOMER = `SELECT s.id FROM customer c JOIN subscription s ON s.user_id = c.user_id AND s.status <> 'ended'
  WHERE c.provider_customer_id = $1 AND s.provider_subscription_id IS NOT NULL`
