import { CLOCKS, type Clock } from '@holdfast/kernel/clocks'
import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { balanceOf, imbalances, LedgerTotals } from '../ledger/ledger-totals.js'
import { KINDS, QUERIES } from './stuck.service.js'

/** These measurements read many rows, so they do not run at every scrape. */
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
  readonly #measureStuck = atMostEvery(MEASURED_EVERY_MS, () => this.measureStuck())
  readonly #stuck = gauge(
    'escrow_stuck',
    'What does not go on by itself, by the kinds of /admin/stuck, without `payment_unknown`',
    ['kind'],
    this.#measureStuck,
  )
  readonly #paymentsUnknown = gauge(
    'payments_unknown',
    'Payments whose outcome at the provider has been unknown for too long: `payment_unknown` of /admin/stuck',
    [],
    this.#measureStuck,
  )
  readonly #measureLedger = atMostEvery(MEASURED_EVERY_MS, () => this.measureLedger())
  readonly #imbalance = gauge(
    'ledger_imbalance',
    'What the deals say that they hold, less what the ledger says, in minor units',
    ['currency'],
    this.#measureLedger,
  )
  readonly #unapplied = gauge(
    'ledger_unapplied',
    'Money of payments that no deal takes, until its return is confirmed, in minor units',
    ['currency'],
    this.#measureLedger,
  )

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly totals: LedgerTotals,
  ) {}

  /** Reads the rows of the index `transaction_due` that are due: few, or something is wrong. */
  async measureOverdue(): Promise<void> {
    const rows: { clock: Clock; seconds: number }[] = await this.dataSource.query(
      `SELECT clock, extract(epoch FROM now() - min(due_at))::float AS seconds
         FROM transaction WHERE due_at < now() GROUP BY clock`,
    )
    for (const clock of CLOCKS) this.#overdue.set({ clock }, rows.find(row => row.clock === clock)?.seconds ?? 0)
  }

  async measureStuck(): Promise<void> {
    for (const kind of KINDS) {
      const [row]: { n: number }[] = await this.dataSource.query(
        `SELECT count(*)::int AS n FROM (${QUERIES[kind]}) found`,
      )
      if (kind === 'payment_unknown') this.#paymentsUnknown.set(row!.n)
      else this.#stuck.set({ kind }, row!.n)
    }
  }

  /** One reading of the ledger serves both. */
  async measureLedger(): Promise<void> {
    const totals = await this.totals.now()
    for (const [currency, difference] of imbalances(totals)) {
      this.#imbalance.set({ currency }, Number(difference))
      this.#unapplied.set({ currency }, Number(balanceOf(totals.kinds, currency, 'unapplied')))
    }
  }
}
