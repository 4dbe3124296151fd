import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type pg from 'pg'
import { whileAlive } from '../connection.js'
import { errorText, handleInTime } from '../consumer/handling.js'
import { eventOf } from '../consumer/log-event.js'
import { isOutage } from '../consumer/outage.js'
import type { DeliveryHandler } from '../transport.js'
import { isWorthLogging, Wakeup } from '../wakeup.js'
import { inDbTx } from './db-tx.js'
import { NEXT_REPLAY, REPLAYED, type ReplayRow } from './dead-letters.js'

/**
 * How often a group looks for requested replays without a notification. A look may fail, and it leaves out what waits for a dead
 * letter that another process replays.
 */
export const REPLAY_POLL_MS = 10_000

type Replay = 'tried' | 'outage' | 'none left'

/** Replays the dead letters of a group that an operator asked for, one at a time. During an outage it waits and tries again. */
export class LogReplay {
  private readonly logger = loggerOf('events-replay')
  private readonly wakeup = new Wakeup()
  private running: Promise<void> | undefined
  private stopping = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly group: string,
    private readonly handler: DeliveryHandler,
    /** The wait after an attempt that failed because of an outage. */
    private readonly outageDelayMs: number,
  ) {}

  start(): void {
    this.running = this.run()
  }

  /** Makes it look for requested replays at once. */
  wake(): void {
    this.wakeup.wake()
  }

  /** Begins no further replay, and waits for the one in progress. */
  async close(): Promise<void> {
    this.stopping = true
    this.wakeup.wake()
    await this.running
  }

  private async run(): Promise<void> {
    let failures = 0
    while (!this.stopping) {
      let pauseMs = REPLAY_POLL_MS
      try {
        const outcome = await this.replayNext()
        failures = 0
        if (outcome === 'tried') continue
        if (outcome === 'outage') pauseMs = this.outageDelayMs
      } catch (error) {
        if (isWorthLogging(failures++))
          this.logger.warn({ err: error, group: this.group }, 'dead letters could not be replayed; trying again')
      }
      await this.wakeup.sleep(pauseMs)
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
