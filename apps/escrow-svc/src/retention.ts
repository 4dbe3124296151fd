import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

const FORGETTING_MS = 60_000
/** Rows of a kind that one statement forgets, and statements of one pass: what has piled up waits for the next one. */
const ROWS_AT_ONCE = 5_000
const MAX_STATEMENTS = 20

/** Forgets idempotency keys and webhook events that are too old to come again: `escrow.forget` knows which. */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = loggerOf('retention')
  private timer: NodeJS.Timeout | undefined

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.forget(), FORGETTING_MS)
    this.timer.unref()
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer)
  }

  /** One bounded pass. A failure waits for the next one. */
  async forget(rowsAtOnce = ROWS_AT_ONCE): Promise<void> {
    try {
      for (let nth = 0; nth < MAX_STATEMENTS; nth++) {
        const [row]: { most: number }[] = await this.dataSource.query('SELECT escrow.forget($1) AS most', [rowsAtOnce])
        if (row!.most < rowsAtOnce) return
      }
    } catch (error) {
      this.log.warn({ err: error }, 'old keys and events could not be forgotten')
    }
  }
}
