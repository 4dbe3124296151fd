import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common'
import type { Clock } from '../lifecycle/clock.js'
import type { Health } from '../lifecycle/health.js'
import { loggerOf } from '../telemetry/logging.js'
import { gauge } from '../telemetry/metrics.js'

/** A process whose clock differs more than this from the database's is not ready. */
const MAX_CLOCK_OFFSET_MS = 5_000
/** How often the clocks are compared. */
export const COMPARE_EVERY_MS = 5_000

const offsetSeconds = gauge('clock_offset_seconds', 'How far this process’s clock is ahead of the database’s')

/**
 * Compares the clock of this process with the database's. Due times are judged by the database's time. But sessions, signatures
 * between services and some times that people read come from the process, so it must not serve with a wrong clock.
 */
@Injectable()
export class ClockWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = loggerOf('clock')
  private timer: NodeJS.Timeout | undefined
  private isWrong = false

  /** @param askDatabase the database's time now */
  constructor(
    private readonly askDatabase: () => Promise<Date>,
    private readonly clock: Clock,
    private readonly health: Health,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.health.add({ name: 'clock', kind: 'required', run: async () => this.assertRight() })
    await this.compare()
    this.timer = setInterval(() => void this.compare(), COMPARE_EVERY_MS)
    this.timer.unref()
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer)
  }

  /**
   * Compares once. The database reads its clock between two readings of ours. So a slow answer makes the comparison less
   * precise, and a right clock is never taken for wrong. The check of the database reports one that does not answer.
   */
  async compare(): Promise<void> {
    const before = this.clock.now().getTime()
    let database: number
    try {
      database = (await this.askDatabase()).getTime()
    } catch (error) {
      this.log.debug({ err: error }, 'the database’s time could not be read')
      return
    }
    const after = this.clock.now().getTime()
    const seconds = ((before + after) / 2 - database) / 1000
    offsetSeconds.set(seconds)
    this.judge(before - database > MAX_CLOCK_OFFSET_MS || database - after > MAX_CLOCK_OFFSET_MS, seconds)
  }

  private judge(isWrong: boolean, seconds: number): void {
    if (isWrong === this.isWrong) return
    this.isWrong = isWrong
    if (isWrong)
      this.log.error({ seconds }, 'this process’s clock differs from the database’s: it is not ready until they agree')
    else this.log.info({ seconds }, 'this process’s clock agrees with the database’s again')
  }

  private assertRight(): void {
    if (this.isWrong) throw new Error('the clock differs from the database’s')
  }
}
