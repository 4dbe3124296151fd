import { isCurrency } from '@holdfast/kernel/money'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { chargebackFee, chargebackFeeReturned } from '../ledger/domain/journal.js'
import { postEntry } from '../ledger/post-entry.js'
import type { ChargebackEvent } from './provider-events.js'

/** Posts the provider's fee of a chargeback, and its return when the bank has decided for us. */
@Injectable()
export class ChargebackFeesService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /**
   * Posts the difference between the fee that an event names and the fee that was posted. An event that is older than the last
   * one has fewer movements, and changes nothing.
   */
  async record({ id, fee }: ChargebackEvent): Promise<void> {
    if (!fee) return
    const { amountMinor, currency, movements } = fee
    // The ledger has no account in another currency; the comparison with the provider shows it to an operator.
    if (!isCurrency(currency)) return
    const now = this.clock.now()
    await this.dataSource.transaction(async manager => {
      const [row]: { transaction_id: string; fee_minor: string; fee_movements: number }[] = await manager.query(
        'SELECT transaction_id, fee_minor, fee_movements FROM chargeback WHERE id = $1 FOR UPDATE',
        [id],
      )
      if (!row || row.fee_movements >= movements) return
      await manager.query('UPDATE chargeback SET fee_minor = $2, fee_movements = $3 WHERE id = $1', [
        id,
        amountMinor.toString(),
        movements,
      ])
      const more = amountMinor - BigInt(row.fee_minor)
      if (more === 0n) return
      const entry = more > 0n ? chargebackFee(more) : chargebackFeeReturned(-more)
      await postEntry(manager, Number(row.transaction_id), currency, entry, now)
    })
  }
}
