import type { Topic } from '@holdfast/contracts/events'
import { pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { EachBatchPayload } from 'kafkajs'
import { type GroupSettings, LaneHandler, type LaneOutcome } from '../consumer/lane.js'
import type { LogRow } from '../consumer/log-event.js'
import { isWorthLogging, reconnectDelay } from '../wakeup.js'
import type { KafkaDeadLetters } from './kafka-dead-letters.js'

/** Most events that are handed to handlers before the progress is recorded. */
const EVENTS_PER_PAGE = 100
/** The progress is recorded at least this often. */
const PAGE_MS = 2_000

type Batch = EachBatchPayload['batch']

/** Records that the events of a partition up to a position are handled. */
export type Commit = (topic: string, partition: number, position: string) => Promise<void>

/** The event for which a partition waits, and since when (as of `performance.now`). */
interface Waiting {
  readonly position: string
  readonly since: number
}

/** The partitions that this process has from one rebalance to the next. */
export class Assignment {
  private readonly logger = loggerOf('events-group')
  private readonly ended = new AbortController()
  private readonly handler: LaneHandler
  private readonly busy = new Set<string>()
  private readonly waiting = new Map<string, Waiting>()
  /** Partitions of which the database shows no wait. */
  private readonly shownWithoutWait = new Set<string>()

  constructor(
    settings: GroupSettings,
    private readonly deadLetters: KafkaDeadLetters,
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
    const since = Math.min(...[...this.waiting.values()].map(waiting => waiting.since))
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
      if ((await this.work(payload.batch, wanted)) && !this.hasEnded) payload.resolveOffset(payload.batch.lastOffset())
    } finally {
      this.busy.delete(key)
      this.waiting.delete(key)
    }
  }

  /** @returns whether all events are handled */
  private async work(batch: Batch, wanted: readonly LogRow[]): Promise<boolean> {
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
      const tentative = await this.handler.handle(lane, Date.now() + PAGE_MS)
      if (tentative === null) return false
      const outcome = await this.shown(tentative, batch, events)
      try {
        const row = outcome.deadLetter && events.find(({ position }) => position === outcome.position)
        if (row) await this.deadLetters.write(row, outcome.deadLetter!.attempts, outcome.deadLetter!.error)
        failures = 0
      } catch (error) {
        // The database is away, for instance. The event is not a dead letter before it is written, so it is tried again.
        if (isWorthLogging(failures))
          this.logger.warn({ err: error, topic, partition }, 'a dead letter was not written')
        await pause(reconnectDelay(failures++), signal)
        continue
      }
      if (outcome.position !== position) await this.commit(topic, partition, outcome.position)
      position = outcome.position
      rest = rest.filter(row => BigInt(row.position) > BigInt(position))
      const { failing } = outcome
      tried = { attempts: failing?.attempts ?? 0, outages: failing?.outages ?? 0 }
      if (failing) await pause(failing.retryMs, signal)
      else if (position === batch.lastOffset()) return true
    }
    return false
  }

  /**
   * Shows whether the partition waits. When an operator has asked to make the event that it waits for a dead letter, the outcome changes.
   * What cannot be shown, such as while the database is away, is shown later: the partition does not depend on it.
   */
  private async shown(outcome: LaneOutcome, batch: Batch, events: readonly LogRow[]): Promise<LaneOutcome> {
    const { topic, partition, failing } = outcome
    const key = `${topic}/${partition}`
    const row = failing && events.find(({ position }) => position === failing.position)
    if (!row) this.waiting.delete(key)
    else if (this.waiting.get(key)?.position !== row.position)
      this.waiting.set(key, { position: row.position, since: performance.now() })
    try {
      if (row) {
        this.shownWithoutWait.delete(key)
        const behind = BigInt(batch.highWatermark) - 1n - BigInt(row.position)
        if (!(await this.deadLetters.wait(row, failing, behind))) return outcome
        const { attempts, error } = failing
        return { topic, partition, position: row.position, deadLetter: { attempts, error } }
      }
      if (!this.shownWithoutWait.has(key)) await this.deadLetters.endWait(topic, partition)
      this.shownWithoutWait.add(key)
    } catch (error) {
      this.logger.debug({ err: error, topic, partition }, 'it could not be shown whether the partition waits')
    }
    return outcome
  }
}
