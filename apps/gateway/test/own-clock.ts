const TICK_MS = 20

/**
 * The clock of this process, which is the gateway, its services and their callers. It stands still while other work has the processor, so
 * that a busy machine does not make the gateway look slow.
 */
export class OwnClock {
  nowMs = 0
  private readonly timer = setInterval(() => (this.nowMs += TICK_MS), TICK_MS)

  stop(): void {
    clearInterval(this.timer)
  }
}
