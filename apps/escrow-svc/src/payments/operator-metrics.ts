import { uuidv7From } from '@holdfast/kernel/ids'
import { databaseTime } from '@holdfast/service-kit/database/database-time'
import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

const MEASURED_EVERY_MS = 45 * 1000
const DAY_MS = 86_400_000

/**
 * Counts what an operator must book or decide after an event of the provider, so that an alert can say it. It is counted in the database: a
 * counter of this process would lose what comes just before its end or just after its start. Nothing says when the operator has
 * acted, so each case counts for a day.
 */
@Injectable()
export class OperatorMetrics {
  private readonly cases = gauge(
    'escrow_events_for_operators',
    'Events of the provider in the last day after which an operator must act, by what is wrong',
    ['why'],
    atMostEvery(MEASURED_EVERY_MS, () => this.measure()),
  )

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Reads the few events that were not handled, and the refunds of a day. */
  async measure(): Promise<void> {
    const since = new Date((await databaseTime(this.dataSource)).getTime() - DAY_MS)
    const [row]: { unfitting: number; late: number }[] = await this.dataSource.query(
      `SELECT (SELECT count(*)::int FROM webhook_event WHERE NOT handled AND is_unfitting AND received_at > $1) AS unfitting,
         (SELECT count(*)::int FROM refund WHERE id > $2 AND origin = 'provider_late') AS late`,
      [since, uuidv7From(since.getTime(), new Uint8Array(10))],
    )
    this.cases.set({ why: 'unfitting' }, row!.unfitting)
    this.cases.set({ why: 'refund_of_ended_deal' }, row!.late)
  }
}
