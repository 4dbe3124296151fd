import { isCurrency } from '@holdfast/kernel/money'
import { PROVIDER_PAYOUT_STATUSES, type ProviderPayoutStatus } from '@holdfast/kernel/payouts'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { type JournalEntry, providerPayout, providerPayoutFailed } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import type { SentPayout } from './connect-objects.js'

/** A payout into our own bank account, as the provider reports it. */
type ProviderPayout = SentPayout & { readonly createdAt: Date }

/** Records the payouts of the provider into our own bank account. Each step is posted once, in whatever order they are reported. */
@Injectable()
export class ProviderPayoutsService {
  private readonly log = loggerOf('provider-payouts')

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** @returns false when the payout is in a currency that the ledger does not know, or has another amount or currency than before */
  async record(payout: ProviderPayout): Promise<boolean> {
    const { providerPayoutId: id, amountMinor, currency, status, createdAt } = payout
    if (!isCurrency(currency) || amountMinor === 0n) return false
    return this.dataSource.transaction(async manager => {
      const now = await databaseTime(manager)
      await manager.query(
        `INSERT INTO provider_payout (id, amount_minor, currency, status, created_at, updated_at)
         VALUES ($1, $2, $3, 'in_transit', $4, $5) ON CONFLICT DO NOTHING`,
        [id, amountMinor.toString(), currency, createdAt, now],
      )
      const [before]: { status: ProviderPayoutStatus; amount_minor: string; currency: string }[] = await manager.query(
        'SELECT status, amount_minor, currency FROM provider_payout WHERE id = $1 FOR UPDATE',
        [id],
      )
      if (BigInt(before!.amount_minor) !== amountMinor || before!.currency !== currency) return false
      if (rank(status) <= rank(before!.status)) return true
      await manager.query('UPDATE provider_payout SET status = $2, failed_at = $3, updated_at = $4 WHERE id = $1', [
        id,
        status,
        status === 'failed' ? now : null,
        now,
      ])
      const entry = entryFor(before!.status, status, amountMinor)
      if (entry) await postEntry(manager, null, currency, entry, now)
      if (status === 'failed') this.log.error({ id }, 'our bank refused a payout of the provider: an operator must act')
      return true
    })
  }
}

/** `PROVIDER_PAYOUT_STATUSES` are in the order in which a payout takes them. */
const rank = (status: ProviderPayoutStatus) => PROVIDER_PAYOUT_STATUSES.indexOf(status)

/** The entry of a step; null when no money of ours has moved between the bank and the provider. */
function entryFor(
  before: ProviderPayoutStatus,
  status: ProviderPayoutStatus,
  amountMinor: bigint,
): JournalEntry | null {
  if (status === 'paid') return providerPayout(amountMinor)
  return before === 'paid' ? providerPayoutFailed(amountMinor) : null
}
