import type { RefundStatus } from '@holdfast/kernel/payments'
import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** The statuses of refunds that have not reached their buyers. */
const UNFINISHED = ['due', 'sent', 'failed'] as const satisfies readonly RefundStatus[]

/** Shows at every scrape how many refunds have not reached their buyers, and for how long, so that an alert can name them. */
@Injectable()
export class RefundMetrics implements OnModuleInit {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    const oldest = gauge('escrow_refund_age_seconds', 'Age of the oldest refund in a status that is not final', [
      'status',
    ])
    gauge('escrow_refunds', 'Refunds in a status that is not final', ['status'], async count => {
      const rows: { status: RefundStatus; n: number; age: number }[] = await this.dataSource.query(
        // The condition is the one of the index `refund_unfinished`.
        `SELECT status, count(*)::int AS n, extract(epoch FROM now() - min(created_at))::float AS age
         FROM refund WHERE status IN ('due', 'sent', 'failed') GROUP BY status`,
      )
      for (const status of UNFINISHED) {
        const row = rows.find(each => each.status === status)
        count.set({ status }, row?.n ?? 0)
        oldest.set({ status }, row?.age ?? 0)
      }
    })
  }
}
