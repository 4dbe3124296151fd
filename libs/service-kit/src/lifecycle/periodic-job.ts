import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { loggerOf } from '../telemetry/logging.js'

/**
 * Work that is looked for at the start of the service and then again and again, never twice at the same time in one process. A failure is
 * logged, and the next pass tries again. Several replicas look for the same work: `run` must share it by locks of rows.
 */
export abstract class PeriodicJob implements OnApplicationBootstrap, OnApplicationShutdown {
  protected readonly logger = loggerOf('job')
  protected isStopping = false
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined

  /** @param failure the words of the log when a pass fails */
  protected constructor(
    private readonly everyMs: number,
    private readonly failure: string,
  ) {}

  /** Does all that there is to do. */
  abstract run(): Promise<void>

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => this.#start(), this.everyMs)
    this.#timer.unref()
    this.#start()
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true
    clearInterval(this.#timer)
    await this.#running
  }

  #start(): void {
    this.#running ??= this.run()
      .catch(error => this.logger.warn({ err: error }, this.failure))
      .finally(() => {
        this.#running = undefined
      })
  }
}
