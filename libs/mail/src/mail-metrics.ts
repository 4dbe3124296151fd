import { atMostEvery, gauge } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { MAIL } from './mail-table.js'

/** While the mail server takes nothing, many mails wait, and counting them takes long. */
const MEASURED_EVERY_MS = 10_000

/** Shows how many mails wait and for how long, so that an alert can say that the mail server takes none. */
@Injectable()
export class MailMetrics {
  readonly #measure = atMostEvery(MEASURED_EVERY_MS, () => this.measure())
  readonly #count = gauge('mails_waiting', 'Mails that were not sent yet', [], this.#measure)
  readonly #oldest = gauge(
    'mail_oldest_waiting_seconds',
    'Age of the oldest mail that was not sent yet',
    [],
    this.#measure,
  )

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  private async measure(): Promise<void> {
    const [row]: { n: number; age: number }[] = await this.dataSource.query(
      `SELECT count(*)::int AS n, coalesce(extract(epoch FROM now() - min(created_at)), 0)::float AS age
       FROM ${MAIL} WHERE due_at IS NOT NULL`,
    )
    this.#count.set(row!.n)
    this.#oldest.set(row!.age)
  }
}
