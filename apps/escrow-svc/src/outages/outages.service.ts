import { OUTAGE_AFTER_MS } from '@holdfast/kernel/clocks'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import { DealsService } from '../deals/deals.service.js'
import { Heartbeat, type Outage } from './heartbeat.js'

const BEAT_EVERY_MS = 3_000
/** A shorter pause of a busy machine is no outage, however short a day is. */
const MIN_OUTAGE_MS = 10_000
/** With short days the limit is a quarter of a day. */
const MS_PER_DAY_SECOND = 250
/** How many deals are read and extended at the same time. They share the money path's statements. */
const DEALS_AT_ONCE = 256

const extended = counter('escrow_clocks_extended_total', 'Clocks that were extended because no replica could act')

/**
 * Notices when no replica could act, and gives the parties that time back: each clock that ran meanwhile is extended by it,
 * once, before any clock is ended. Several replicas may do this at the same time.
 */
@Injectable()
export class OutagesService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = loggerOf('outages')
  private timer: NodeJS.Timeout | undefined
  private running: Promise<void> | undefined
  private stopping = false

  constructor(
    private readonly heartbeat: Heartbeat,
    private readonly deals: DealsService,
    private readonly health: Health,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

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
   * Records that this replica can serve. After an outage it extends the clocks, page after page. A deal that has changed
   * meanwhile is left out, so it begins again with the first page until no clock is left.
   */
  async beat(): Promise<void> {
    let clocks = 0
    let lastId = 0
    while (!this.stopping) {
      const outage = await this.heartbeat.beat(this.validMs)
      if (!outage) return
      const page = await this.heartbeat.clocksIn(outage, lastId, DEALS_AT_ONCE)
      if (page.length === 0 && lastId === 0) return this.end(outage, clocks)
      const outcomes = await Promise.all(page.map(found => this.deals.extendClock(found)))
      clocks += outcomes.filter(Boolean).length
      lastId = page.length < DEALS_AT_ONCE ? 0 : page[page.length - 1]!.id
    }
  }

  private async beatIfReady(): Promise<void> {
    try {
      if ((await this.health.readiness(false)).ready) await this.beat()
    } catch (error) {
      this.log.warn({ err: error }, 'the heartbeat failed; no clock is ended until it succeeds')
    }
  }

  private async end(outage: Outage, clocks: number): Promise<void> {
    extended.inc(clocks)
    if (!(await this.heartbeat.endOutage(outage, this.validMs))) return
    this.log.warn({ ...outage, clocks }, 'no replica could act: every clock that ran is extended by that time')
  }

  /** How long clocks may end after a heartbeat. A longer gap is an outage. When a day is shorter, as in a demo, so is this. */
  private get validMs(): number {
    return Math.min(OUTAGE_AFTER_MS, Math.max(MIN_OUTAGE_MS, this.config.DAY_SECONDS * MS_PER_DAY_SECOND))
  }
}
