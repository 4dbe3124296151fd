import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type pg from 'pg'
import { whileAlive } from '../connection.js'
import { errorText, handleInTime } from '../consumer/handling.js'
import { eventOf } from '../consumer/log-event.js'
import { isOutage } from '../consumer/outage.js'
import type { DeliveryHandler } from '../transport.js'
import { inDbTx } from './db-tx.js'
import { NEXT_REPLAY, REPLAYED, type ReplayRow } from './dead-letters.js'

type Replay = 'tried' | 'outage' | 'none left'

/** Replays the dead letters of a group that an operator asked for, one at a time. During an outage it waits and tries again. */
export class LogReplay {
  private readonly logger = loggerOf('events-replay')
  private running: Promise<void> | undefined
  private again = false
  private afterOutage: NodeJS.Timeout | undefined
  private stopping = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly group: string,
    private readonly handler: DeliveryHandler,
    /** The wait after an attempt that failed because of an outage. */
    private readonly outageDelayMs: number,
  ) {}

  /** Starts to look for requested replays. */
  kick(): void {
    clearTimeout(this.afterOutage)
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
    clearTimeout(this.afterOutage)
    await this.running
  }

  private async run(): Promise<void> {
    this.again = false
    try {
      let outcome: Replay
      do outcome = await this.replayNext()
      while (outcome === 'tried' && !this.stopping)
      if (outcome === 'outage' && !this.stopping) this.afterOutage = setTimeout(() => this.kick(), this.outageDelayMs)
    } catch (error) {
      this.logger.warn({ err: error, group: this.group }, 'dead letters could not be replayed')
    }
  }

  private replayNext(): Promise<Replay> {
    return inDbTx(this.pool, async client => {
      const row = (await client.query<ReplayRow>(NEXT_REPLAY, [this.group])).rows[0]
      if (!row) return 'none left'
      let failure: string | null = null
      let outage = false
      try {
        await whileAlive(client, handleInTime(this.handler, { event: eventOf(row), attempt: row.attempts + 1 }))
      } catch (error) {
        failure = errorText(error)
        outage = isOutage(error)
      }
      await client.query(REPLAYED, [row.dead_letter_id, failure, outage])
      const about = { group: this.group, event: row.id }
      if (outage) this.logger.info(about, 'a replay waits until an outage ends')
      else if (failure === null) this.logger.info(about, 'a dead letter was replayed')
      else this.logger.warn({ ...about, error: failure }, 'the replay of a dead letter failed')
      return outage ? 'outage' : 'tried'
    })
  }
}
