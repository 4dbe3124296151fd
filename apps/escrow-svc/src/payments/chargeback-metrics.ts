import type { ChargebackStatus } from '@holdfast/kernel/payments'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** The statuses of chargebacks that no bank has decided. */
const UNDECIDED = ['inquiry', 'open'] as const satisfies readonly ChargebackStatus[]

/** Shows at every scrape for how long a bank has not decided about a chargeback, so that an alert can name it. */
@Injectable()
export class ChargebackMetrics implements OnModuleInit {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    gauge(
      'escrow_chargeback_age_seconds',
      'Age of the oldest chargeback that is not decided',
      ['status'],
      async age => {
        const rows: { status: ChargebackStatus; age: number }[] = await this.dataSource.query(
          // The condition is the one of the index `chargeback_undecided`. A row is updated only when its status changes, as when an inquiry
          // becomes a chargeback: then the bank's time begins anew.
          `SELECT status, extract(epoch FROM now() - min(updated_at))::float AS age
         FROM chargeback WHERE status IN ('inquiry', 'open') GROUP BY status`,
        )
        for (const status of UNDECIDED) age.set({ status }, rows.find(each => each.status === status)?.age ?? 0)
      },
    )
  }
}
