import { isCurrency } from '@holdfast/kernel/money'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { accountFee } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import type { AccountFee } from './balance-changes.js'

/** Posts the provider's fees that belong to no charge. No event tells of them: they are found among the movements of a day. */
@Injectable()
export class AccountFeesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Posts a fee, if it is not posted yet. A fee in a currency that we do not know is neither posted nor compared. */
  async record({ id, type, amountMinor, currency, takenAt }: AccountFee): Promise<void> {
    if (!isCurrency(currency) || amountMinor === 0n) return
    await this.dataSource.transaction(async manager => {
      const added: unknown[] = await manager.query(
        `INSERT INTO account_fee (id, type, amount_minor, currency, taken_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING RETURNING id`,
        [id, type, amountMinor.toString(), currency, takenAt],
      )
      if (added.length > 0) await postEntry(manager, null, currency, accountFee(amountMinor), this.clock.now())
    })
  }
}
