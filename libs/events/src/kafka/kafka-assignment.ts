import type { Topic } from '@holdfast/contracts/events'
import { pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { EachBatchPayload } from 'kafkajs'
import { type GroupSettings, LaneHandler, type LaneOutcome } from '../consumer/lane.js'
import type { LogRow } from '../consumer/log-event.js'
import { isWorthLogging, reconnectDelay } from '../wakeup.js'

/** Most events that are handed to handlers before the progress is recorded. */
const EVENTS_PER_PAGE = 100
/** The progress is recorded at least this often. */
const PAGE_MS = 2_000

/** Writes a dead letter; one that exists already is kept. */
export type Bury = (row: LogRow, attempts: number, error: string) => Promise<void>

/** Records that the events of a partition up to a position are handled. */
export type Commit = (topic: string, partition: number, position: string) => Promise<void>

/** What is tried again: the first event of the rest, and since when (as of `performance.now`). */
interface Failing {
  readonly position: string
  readonly since: number
}

/** The partitions that this process has from one rebalance to the next. */
export class Assignment {
  private readonly logger = loggerOf('events-group')
  private readonly ended = new AbortController()
  private readonly handler: LaneHandler
  private readonly busy = new Set<string>()
  private readonly failing = new Map<string, Failing>()

  constructor(
    settings: GroupSettings,
    private readonly bury: Bury,
    private readonly commit: Commit,
  ) {
    this.handler = new LaneHandler(settings)
  }

  /** Begins no further event. Those in progress are finished. */
  end(): void {
    this.ended.abort()
    this.handler.stop()
  }

  get hasEnded(): boolean {
    return this.ended.signal.aborted
  }

  isBusyWith(topic: string, partition: number): boolean {
    return this.busy.has(`${topic}/${partition}`)
  }

  get waitingSeconds(): number {
    const since = Math.min(...[...this.failing.values()].map(failing => failing.since))
    return Number.isFinite(since) ? (performance.now() - since) / 1_000 : 0
  }

  /**
   * Handles the wanted events of a batch, tries those that fail again for as long as needed, and records the progress. Resolves when
   * all are handled, or earlier when this assignment has ended.
   */
  async handle(payload: EachBatchPayload, wanted: readonly LogRow[]): Promise<void> {
    const { topic, partition } = payload.batch
    const key = `${topic}/${partition}`
    this.busy.add(key)
    try {
      if ((await this.work(key, payload, wanted)) && !this.hasEnded) payload.resolveOffset(payload.batch.lastOffset())
    } finally {
      this.busy.delete(key)
      this.failing.delete(key)
    }
  }

  /** @returns whether all events are handled */
  private async work(key: string, { batch }: EachBatchPayload, wanted: readonly LogRow[]): Promise<boolean> {
    const { topic, partition } = batch
    const { signal } = this.ended
    let rest = wanted
    let position = String(BigInt(batch.firstOffset() ?? 0) - 1n)
    let tried = { attempts: 0, outages: 0 }
    let failures = 0
    while (!signal.aborted) {
      const events = rest.slice(0, EVENTS_PER_PAGE)
      const page_end = events.length === rest.length ? batch.lastOffset() : events.at(-1)!.position
      const lane = { topic: topic as Topic, partition, read_to: position, page_end, ...tried, events }
      const outcome = await this.handler.handle(lane, Date.now() + PAGE_MS)
      if (outcome === null) return false
      try {
        await this.record(outcome, events, position)
        failures = 0
      } catch (error) {
        // The database is away, for instance. The event is not a dead letter before it is written, so it is tried again.
        if (isWorthLogging(failures))
          this.logger.warn({ err: error, topic, partition }, 'a dead letter was not written')
        await pause(reconnectDelay(failures++), signal)
        continue
      }
      position = outcome.position
      rest = rest.filter(row => BigInt(row.position) > BigInt(position))
      const { failing } = outcome
      tried = { attempts: failing?.attempts ?? 0, outages: failing?.outages ?? 0 }
      this.note(key, failing?.position)
      if (failing) await pause(failing.retryMs, signal)
      else if (position === batch.lastOffset()) return true
    }
    return false
  }

  private async record(outcome: LaneOutcome, events: readonly LogRow[], before: string): Promise<void> {
    const { topic, partition, position, buried } = outcome
    const row = events.find(event => event.position === position)
    if (buried && row) await this.bury(row, buried.attempts, buried.error)
    if (position !== before) await this.commit(topic, partition, position)
  }

  private note(key: string, position: string | undefined): void {
    if (position === undefined) this.failing.delete(key)
    else if (this.failing.get(key)?.position !== position) this.failing.set(key, { position, since: performance.now() })
  }
}
