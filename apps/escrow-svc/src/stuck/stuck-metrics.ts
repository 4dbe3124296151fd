import { CLOCKS, type Clock } from '@holdfast/kernel/clocks'
import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { KINDS, QUERIES } from './stuck.service.js'

/**
 * These measurements read whole tables, so they do not run at every scrape. At a million deals the books take 2 s (4 million postings,
 * 2 cores), so they are measured every minute. A larger ledger is measured less often (`atMostEvery`).
 */
const MEASURED_EVERY_MS = 45 * 1000

/** Shows what does not go on by itself, and whether the holds of the deals equal their postings, so that an alert can say it. */
@Injectable()
export class StuckMetrics {
  readonly #overdue = gauge(
    'escrow_overdue_seconds',
    'For how long the oldest deadline of a deal has been due, by clock',
    ['clock'],
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
  readonly #unapplied = gauge(
    'ledger_unapplied',
    'Money of payments that no deal takes, until its return is confirmed, in minor units',
    ['currency'],
    atMostEvery(MEASURED_EVERY_MS, () => this.measureUnapplied()),
  )

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Reads the rows of the index `transaction_due` that are due: few, or something is wrong. */
  async measureOverdue(): Promise<void> {
    const rows: { clock: Clock; seconds: number }[] = await this.dataSource.query(
      `SELECT clock, extract(epoch FROM clock_timestamp() - min(due_at))::float AS seconds
         FROM transaction WHERE due_at < clock_timestamp() GROUP BY clock`,
    )
    for (const clock of CLOCKS) this.#overdue.set({ clock }, rows.find(row => row.clock === clock)?.seconds ?? 0)
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

  async measureUnapplied(): Promise<void> {
    const rows: { currency: string; amount: string }[] = await this.dataSource.query(UNAPPLIED)
    for (const { currency, amount } of rows) this.#unapplied.set({ currency }, Number(amount))
  }
}

const IMBALANCE = `
  SELECT currency, sum(amount) AS difference FROM (
    SELECT currency, hold_minor AS amount FROM transaction
    UNION ALL SELECT currency, -amount_minor FROM posting WHERE credit LIKE 'hold:%'
    UNION ALL SELECT currency, amount_minor FROM posting WHERE debit LIKE 'hold:%'
  ) side GROUP BY currency`

const UNAPPLIED = `
  SELECT currency, sum(CASE WHEN credit LIKE 'unapplied:%' THEN amount_minor ELSE -amount_minor END) AS amount
    FROM posting WHERE credit LIKE 'unapplied:%' OR debit LIKE 'unapplied:%' GROUP BY currency`
