import type { PayoutStatus } from '@holdfast/kernel/payouts'
import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

/** Payouts that are to be sent, or whose money is to come back. The condition is the one of the index `payout_waits`. */
export const WAITING_PAYOUTS = `status <> 'returned' AND (status = 'scheduled' OR failure IS NOT NULL)`
/** Payouts that were given back, and whose late transfer is to be looked for or reversed. */
export const LATE_TRANSFERS = `status = 'returned' AND due_at IS NOT NULL`
/** Those that wait, and those that are on their way to the bank. The condition is the one of the index `payout_unfinished`. */
export const UNFINISHED_PAYOUTS = `status <> 'returned' AND (status <> 'paid' OR failure IS NOT NULL)`

/** The states of a payout that is not finished. `failed`: its money is to come back from the provider. */
const UNFINISHED = ['scheduled', 'in_transit', 'failed'] as const satisfies readonly (PayoutStatus | 'failed')[]

/** Every seller's daily payout may be on its way, so the rows are not read at every scrape. */
const MEASURED_EVERY_MS = 45 * 1000

/** Shows how many payouts are not finished, and for how long, so that an alert can name them. */
@Injectable()
export class PayoutMetrics {
  readonly #measure = atMostEvery(MEASURED_EVERY_MS, () => this.measure())
  readonly #count = gauge('escrow_payouts', 'Payouts in a state that is not final', ['status'], this.#measure)
  readonly #oldest = gauge(
    'escrow_payout_age_seconds',
    'Age of the oldest payout in a state that is not final; of a failed one, since it failed',
    ['status'],
    this.#measure,
  )

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async measure(): Promise<void> {
    const rows: { status: (typeof UNFINISHED)[number]; n: number; age: number }[] = await this.dataSource.query(
      `SELECT CASE WHEN failure IS NULL THEN status ELSE 'failed' END AS status, count(*)::int AS n,
         extract(epoch FROM now() - min(coalesce(failed_at, created_at)))::float AS age
       FROM payout WHERE ${UNFINISHED_PAYOUTS} GROUP BY 1`,
    )
    for (const status of UNFINISHED) {
      const row = rows.find(each => each.status === status)
      this.#count.set({ status }, row?.n ?? 0)
      this.#oldest.set({ status }, row?.age ?? 0)
    }
  }
}
