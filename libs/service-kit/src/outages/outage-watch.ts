import { OUTAGE_AFTER_MS } from '@holdfast/kernel/clocks'
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common'
import type { Health } from '../lifecycle/health.js'
import { loggerOf } from '../telemetry/logging.js'
import type { Heartbeat, Outage } from './heartbeat.js'

const BEAT_EVERY_MS = 3_000
/** A shorter pause of a busy machine is no outage, however short a day is. */
const MIN_OUTAGE_MS = 10_000
/** With short days the limit is a quarter of a day. */
const MS_PER_DAY_SECOND = 250

interface OutageWatchOptions {
  readonly heartbeat: Heartbeat
  readonly health: Health
  /** The length of a day in seconds. */
  readonly daySeconds: number
  /** How many owners of clocks are read and extended at the same time. */
  readonly atOnce: number
  /** Counts the clocks that were extended. */
  readonly extended: { inc(count: number): void }
}

/**
 * Notices when no replica of a service could act, and gives that time back: each clock that ran meanwhile is extended by it, once,
 * before any clock is ended. Several replicas may do this at the same time. What has clocks, and how one is extended, is the
 * service's own: a deal, a dispute. The service ends no clock that is due later than `clocksEndUntil`.
 */
export abstract class OutageWatch<F extends { readonly id: number }>
  implements OnApplicationBootstrap, BeforeApplicationShutdown
{
  private readonly log = loggerOf('outages')
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private stopping = false

  protected constructor(private readonly options: OutageWatchOptions) {}

  /** What has a clock that ran during the outage, was not due before it, and has not been extended by it yet, in the order of ids. */
  protected abstract find(outage: Outage, afterId: number, limit: number): Promise<readonly F[]>

  /**
   * Extends the clocks of one by the part of the outage in which they ran. It is found no more afterwards, also when the
   * database's clock was set back since the outage was noticed.
   *
   * @returns how many clocks were extended: 0 when it has changed since it was found
   */
  protected abstract extend(found: F, outage: Outage): Promise<number>

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= this.beatIfReady().finally(() => {
        this.running = undefined
      })
    }, BEAT_EVERY_MS)
    this.timer.unref()
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true
    clearInterval(this.timer)
    await this.running
  }

  /**
   * Records that this replica can serve. After an outage it extends the clocks, page after page. What has changed meanwhile is
   * left out, so it begins again with the first page until no clock is left.
   */
  async beat(): Promise<void> {
    const { heartbeat, atOnce } = this.options
    let clocks = 0
    let lastId = 0
    while (!this.stopping) {
      const outage = await heartbeat.beat(this.validMs)
      if (!outage) return
      const page = await this.find(outage, lastId, atOnce)
      if (page.length === 0 && lastId === 0) return this.end(outage, clocks)
      const counts = await Promise.all(page.map(found => this.extend(found, outage)))
      const extended = counts.reduce((sum, count) => sum + count, 0)
      // Counted at once: another replica may end the outage.
      this.options.extended.inc(extended)
      clocks += extended
      lastId = page.length < atOnce ? 0 : page[page.length - 1]!.id
    }
  }

  private async beatIfReady(): Promise<void> {
    try {
      if ((await this.options.health.readiness(false)).ready) await this.beat()
    } catch (error) {
      this.log.warn({ err: error }, 'the heartbeat failed; no clock is ended until it succeeds')
    }
  }

  private async end(outage: Outage, clocks: number): Promise<void> {
    if (!(await this.options.heartbeat.endOutage(outage, this.validMs))) return
    this.log.warn({ ...outage, clocks }, 'no replica could act: every clock that ran is extended by that time')
  }

  /** How long clocks may end after a heartbeat. A longer gap is an outage. When a day is shorter, as in a demo, so is this. */
  private get validMs(): number {
    return Math.min(OUTAGE_AFTER_MS, Math.max(MIN_OUTAGE_MS, this.options.daySeconds * MS_PER_DAY_SECOND))
  }
}
