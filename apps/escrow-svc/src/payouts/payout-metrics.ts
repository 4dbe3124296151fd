import { gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** Payouts that are to be sent, or whose money is to come back. The condition is the one of the index `payout_waits`. */
export const WAITING_PAYOUTS = `status <> 'returned' AND (status = 'scheduled' OR failure IS NOT NULL)`

/** What a payout waits for: to be sent, or for its money to come back from the provider. */
const WAITS_FOR = ['sending', 'reversal'] as const

/** Shows at every scrape how many payouts wait, and for how long, so that an alert can name them. */
@Injectable()
export class PayoutMetrics implements OnModuleInit {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    const oldest = gauge('escrow_payout_wait_seconds', 'For how long the oldest of the waiting payouts waits', ['for'])
    gauge(
      'escrow_payouts_waiting',
      'Payouts that are to be sent, or whose money is to come back',
      ['for'],
      async count => {
        const rows: { for: (typeof WAITS_FOR)[number]; n: number; age: number }[] = await this.dataSource.query(
          `SELECT CASE WHEN failure IS NULL THEN 'sending' ELSE 'reversal' END AS "for", count(*)::int AS n,
           extract(epoch FROM clock_timestamp() - min(coalesce(failed_at, created_at)))::float AS age
         FROM payout WHERE ${WAITING_PAYOUTS} GROUP BY 1`,
        )
        for (const what of WAITS_FOR) {
          const row = rows.find(each => each.for === what)
          count.set({ for: what }, row?.n ?? 0)
          oldest.set({ for: what }, row?.age ?? 0)
        }
      },
    )
  }
}
