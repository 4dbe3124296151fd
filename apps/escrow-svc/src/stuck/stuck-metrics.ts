import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { KINDS, QUERIES } from './stuck.service.js'

/** These measurements read whole tables, so they do not run at every scrape. */
const MEASURED_EVERY_MS = 5 * 60 * 1000

/** Shows what does not go on by itself, and whether the holds of the deals equal their postings, so that an alert can say it. */
@Injectable()
export class StuckMetrics {
  readonly #overdue = gauge(
    'escrow_overdue_seconds',
    'For how long the oldest deadline of a deal has been due',
    [],
    () => this.measureOverdue(),
  )
  readonly #stuck = gauge(
    'escrow_stuck',
    'What does not go on by itself, by the kinds of /admin/stuck',
    ['kind'],
    atMostEvery(MEASURED_EVERY_MS, () => this.measureStuck()),
  )
  readonly #imbalance = gauge(
    'ledger_imbalance',
    'What the deals say that they hold, less what the ledger says, in minor units',
    ['currency'],
    atMostEvery(MEASURED_EVERY_MS, () => this.measureImbalance()),
  )

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Reads the first row of the index `transaction_due`. */
  async measureOverdue(): Promise<void> {
    const [row]: { seconds: number | null }[] = await this.dataSource.query(
      'SELECT extract(epoch FROM clock_timestamp() - min(due_at))::float AS seconds FROM transaction',
    )
    this.#overdue.set(Math.max(0, row?.seconds ?? 0))
  }

  async measureStuck(): Promise<void> {
    for (const kind of KINDS) {
      const [row]: { n: number }[] = await this.dataSource.query(
        `SELECT count(*)::int AS n FROM (${QUERIES[kind]}) found`,
      )
      this.#stuck.set({ kind }, row!.n)
    }
  }

  async measureImbalance(): Promise<void> {
    const rows: { currency: string; difference: string }[] = await this.dataSource.query(IMBALANCE)
    for (const { currency, difference } of rows) this.#imbalance.set({ currency }, Number(difference))
  }
}

const IMBALANCE = `
  SELECT currency, sum(amount) AS difference FROM (
    SELECT currency, hold_minor AS amount FROM transaction
    UNION ALL SELECT currency, -amount_minor FROM posting WHERE credit LIKE 'hold:%'
    UNION ALL SELECT currency, amount_minor FROM posting WHERE debit LIKE 'hold:%'
  ) side GROUP BY currency`
