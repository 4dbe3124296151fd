import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type pg from 'pg'
import { errorText, handleInTime } from '../consumer/handling.js'
import type { DeliveryHandler } from '../transport.js'
import { inDbTx } from './db-tx.js'
import { NEXT_REPLAY, REPLAYED, type ReplayRow } from './dead-letters.js'
import { eventOf } from './log-event.js'

/** Most dead letters replayed in one run. Others wait for the next request or the next start. */
const REPLAYS_IN_A_ROW = 1_000

/** Replays the dead letters of a group that an operator asked for, one at a time. */
export class LogReplay {
  private readonly logger = loggerOf('events-replay')
  private running: Promise<void> | undefined
  private again = false
  private stopping = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly group: string,
    private readonly handler: DeliveryHandler,
  ) {}

  /** Starts to look for requested replays. */
  kick(): void {
    if (this.running) {
      this.again = true
      return
    }
    this.running = this.run().finally(() => {
      this.running = undefined
      if (this.again && !this.stopping) this.kick()
    })
  }

  async close(): Promise<void> {
    this.stopping = true
    await this.running
  }

  private async run(): Promise<void> {
    this.again = false
    try {
      for (let nth = 0; nth < REPLAYS_IN_A_ROW && !this.stopping; nth++) if (!(await this.replayOne())) return
    } catch (error) {
      this.logger.warn({ err: error, group: this.group }, 'dead letters could not be replayed')
    }
  }

  /** @returns false when none is left */
  private replayOne(): Promise<boolean> {
    return inDbTx(this.pool, async client => {
      const row = (await client.query<ReplayRow>(NEXT_REPLAY, [this.group])).rows[0]
      if (!row) return false
      let failure: string | null = null
      try {
        await handleInTime(this.handler, { event: eventOf(row), attempt: row.attempts + 1 })
      } catch (error) {
        failure = errorText(error)
      }
      this.logger.info({ group: this.group, event: row.id, replayed: failure === null }, 'a dead letter was replayed')
      await client.query(REPLAYED, [row.dead_letter_id, failure])
      return true
    })
  }
}
