import type { Topic } from '@holdfast/contracts/events'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import {
  type EventOutcome,
  type GroupOptions,
  MAX_FAILURES,
  PoisonEventError,
  UNKNOWN_TYPE_RETRY_MS,
  UnknownTypeError,
} from '../transport.js'
import { errorText, handleInTime } from './handling.js'
import { eventOf, type LogRow } from './log-event.js'
import { isOutage } from './outage.js'

/** Most events of a partition that are handled at the same time. Batch handlers write them in one dbTx. */
const EVENTS_PER_BATCH = 16

/** A group logs a failure that many attempts repeat, as during an outage, at most once in this time. */
const REPEATED_LOG_MS = 60_000

export interface LanePosition {
  readonly topic: Topic
  readonly partition: number
  /** The last position handled before these events, and the last one that was read with them. */
  readonly read_to: string
  readonly page_end: string
  /** Attempts at the first event, and those of them that failed because of an outage. */
  readonly attempts: number
  readonly outages: number
}

/** Events of one partition, in the order of their positions. */
export interface Lane extends LanePosition {
  readonly events: readonly LogRow[]
}

/** The result for one partition: its last handled position, and what happens to the event that failed, if one did. */
export interface LaneOutcome {
  readonly topic: string
  readonly partition: number
  readonly position: string
  /** The event that failed, when it is tried again. */
  readonly failing?: {
    readonly position: string
    readonly attempts: number
    readonly outages: number
    readonly retryMs: number
    readonly error: string
  }
  /** The event that failed, at `position`, when it becomes a dead letter. */
  readonly deadLetter?: { readonly attempts: number; readonly error: string }
}

/** An attempt at an event that failed. */
interface FailedAttempt {
  readonly row: LogRow
  readonly error: unknown
  /** The attempts at the event with this one, and the earlier ones that failed because of an outage. */
  readonly attempt: number
  readonly outages: number
}

export interface GroupSettings extends GroupOptions {
  readonly retryDelaysMs: readonly number[]
  readonly onOutcome?: (outcome: EventOutcome) => void
}

/** Handles events of the partitions that this process has, and decides what happens to an event that fails. */
export class LaneHandler {
  private readonly logger = loggerOf('events-group')
  /** When (as of `performance.now`) a message was last logged. */
  private readonly loggedAt = new Map<string, number>()
  private stopping = false

  constructor(private readonly settings: GroupSettings) {}

  /** Starts no further event. */
  stop(): void {
    this.stopping = true
  }

  /**
   * Handles a partition's events in batches; events of different keys are handled together. When an event fails, the later events
   * of its key wait, and those of other keys are still handled. So each key's events keep their order, and one key does not
   * hold back the others of the page. When several keys have failed and a whole batch fails, the rest of the page waits.
   *
   * The position stays before the first event that failed. Events that were handled after it are delivered again, and the inbox
   * drops them then.
   *
   * @param until the time (as of `Date.now`) after which no further batch begins, so that progress is recorded
   * @returns null when no event was begun
   */
  async handle(lane: Lane, until: number): Promise<LaneOutcome | null> {
    const { topic, partition, page_end, events } = lane
    const heldBack = new Set<string>()
    const failures: FailedAttempt[] = []
    let position = lane.read_to
    let next = 0
    while (next < events.length) {
      if (this.stopping || Date.now() > until) {
        if (next === 0) return null
        break
      }
      const batch = batchFrom(events, next, heldBack)
      const failed = await Promise.all(batch.rows.map(row => this.attempt(row, lane)))
      for (const [i, failure] of failed.entries()) {
        if (failure) {
          failures.push(failure)
          heldBack.add(failure.row.key)
        } else if (failures.length === 0) position = batch.rows[i]!.position
      }
      next = batch.end
      if (heldBack.size > 1 && failed.every(failure => failure !== null)) break
    }
    const [first, ...later] = failures
    if (first) {
      for (const failure of later) this.report(failure)
      return { topic, partition, ...this.decide(first, position) }
    }
    if (lane.outages > 0)
      this.logger.info({ group: this.settings.group, topic, partition }, 'the events of a partition are handled again')
    return { topic, partition, position: next === events.length ? page_end : position }
  }

  /** @returns null when the event was handled */
  private async attempt(row: LogRow, { events, attempts, outages }: Lane): Promise<FailedAttempt | null> {
    const earlier = row === events[0] ? { attempts, outages } : { attempts: 0, outages: 0 }
    const attempt = earlier.attempts + 1
    try {
      await handleInTime(this.settings.handler, { event: eventOf(row), attempt })
      this.settings.onOutcome?.('handled')
      return null
    } catch (error) {
      return { row, error, attempt, outages: earlier.outages }
    }
  }

  /** Decides what happens to the first event of a partition that failed. `position` is the last one before it. */
  private decide(failure: FailedAttempt, position: string): Pick<LaneOutcome, 'position' | 'failing' | 'deadLetter'> {
    const { row, error, attempt } = failure
    const outage = isOutage(error)
    const outages = failure.outages + (outage ? 1 : 0)
    if (!outage && (error instanceof PoisonEventError || attempt - outages >= MAX_FAILURES)) {
      this.logger.error(this.about(failure), 'an event became a dead letter')
      this.settings.onOutcome?.('dead_lettered')
      return { position: row.position, deadLetter: { attempts: attempt, error: errorText(error) } }
    }
    if (outage) this.report(failure)
    else {
      this.logger.warn(this.about(failure), 'an event was not handled; trying again')
      this.settings.onOutcome?.('retried')
    }
    const { retryDelaysMs } = this.settings
    const delayMs = retryDelaysMs[attempt - 1] ?? retryDelaysMs.at(-1) ?? 0
    const retryMs = error instanceof UnknownTypeError ? UNKNOWN_TYPE_RETRY_MS : delayMs
    return {
      position,
      failing: { position: row.position, attempts: attempt, outages, retryMs, error: errorText(error) },
    }
  }

  /**
   * Counts and logs a failure that many attempts may repeat: an outage caused it, or the event is tried again with an earlier one.
   * The latter does not bring it nearer to the dead letters: the attempts of the first event alone are kept.
   */
  private report(failure: FailedAttempt): void {
    const outage = isOutage(failure.error)
    this.settings.onOutcome?.(outage ? 'postponed' : 'retried')
    const message = outage
      ? 'events wait until an outage ends; they are tried again until then'
      : 'an event was not handled; it is tried again with an earlier one that was not handled either'
    if (performance.now() - (this.loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) <= REPEATED_LOG_MS) return
    this.loggedAt.set(message, performance.now())
    this.logger.warn(this.about(failure), message)
  }

  private about({ row, error, attempt }: FailedAttempt) {
    return { err: error, group: this.settings.group, event: row.id, type: row.type, attempt }
  }
}

/**
 * The events from `first` on that may be handled together, without those of the keys that are held back, and the index after
 * them. No two have the same key, because a key's events keep order.
 */
function batchFrom(
  events: readonly LogRow[],
  first: number,
  heldBack: ReadonlySet<string>,
): { readonly rows: readonly LogRow[]; readonly end: number } {
  const rows: LogRow[] = []
  const keys = new Set<string>()
  let end = first
  while (end < events.length && rows.length < EVENTS_PER_BATCH) {
    const row = events[end]!
    if (keys.has(row.key)) break
    end++
    if (heldBack.has(row.key)) continue
    keys.add(row.key)
    rows.push(row)
  }
  return { rows, end }
}
