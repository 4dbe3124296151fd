import type { Topic } from '@holdfast/contracts/events'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { type EventOutcome, type GroupOptions, MAX_FAILURES, PoisonEventError } from '../transport.js'
import { errorText, handleInTime } from './handling.js'
import { eventOf, type LogRow } from './log-event.js'
import { isOutage } from './outage.js'

/** Most events of a partition that are handled at the same time. Batch handlers write them in one dbTx. */
const EVENTS_PER_WAVE = 16

/** During an outage a group logs at most one line in this time. */
const OUTAGE_LOG_MS = 60_000

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
  readonly buried?: { readonly attempts: number; readonly error: string }
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
  private outageLoggedAt = Number.NEGATIVE_INFINITY
  private stopping = false

  constructor(private readonly settings: GroupSettings) {}

  /** Starts no further event. */
  stop(): void {
    this.stopping = true
  }

  /**
   * Handles a partition's events in waves; events of different keys are handled together. When an event fails, the later events
   * of its key wait, and those of other keys are still handled. So each key's events keep their order, and one key does not
   * hold back the others of the page. When several keys have failed and a whole wave fails, the rest of the page waits.
   *
   * The position stays before the first event that failed. Events that were handled after it are delivered again, and the inbox
   * drops them then.
   *
   * @param until the time (as of `Date.now`) after which no further wave begins, so that progress is recorded
   * @returns null when no event was begun
   */
  async handle(lane: Lane, until: number): Promise<LaneOutcome | null> {
    const { topic, partition, page_end, events } = lane
    const heldBack = new Set<string>()
    let firstFailure: FailedAttempt | null = null
    let position = lane.read_to
    let next = 0
    while (next < events.length) {
      if (this.stopping || Date.now() > until) {
        if (next === 0) return null
        break
      }
      const wave = waveFrom(events, next, heldBack)
      const failures = await Promise.all(wave.rows.map(row => this.attempt(row, lane)))
      for (const [i, failure] of failures.entries()) {
        firstFailure ??= failure
        if (failure) heldBack.add(failure.row.key)
        if (!firstFailure) position = wave.rows[i]!.position
      }
      next = wave.end
      if (heldBack.size > 1 && failures.every(failure => failure !== null)) break
    }
    if (firstFailure) return { topic, partition, ...this.failed(firstFailure, position) }
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
  private failed(failure: FailedAttempt, position: string): Pick<LaneOutcome, 'position' | 'failing' | 'buried'> {
    const { row, error, attempt } = failure
    const outage = isOutage(error)
    const outages = failure.outages + (outage ? 1 : 0)
    const about = { err: error, group: this.settings.group, event: row.id, type: row.type, attempt }
    if (!outage && (error instanceof PoisonEventError || attempt - outages >= MAX_FAILURES)) {
      this.logger.error(about, 'an event became a dead letter')
      this.settings.onOutcome?.('dead_lettered')
      return { position: row.position, buried: { attempts: attempt, error: errorText(error) } }
    }
    if (!outage) this.logger.warn(about, 'an event was not handled; trying again')
    else if (performance.now() - this.outageLoggedAt > OUTAGE_LOG_MS) {
      this.outageLoggedAt = performance.now()
      this.logger.warn(about, 'events wait until an outage ends; they are tried again until then')
    }
    this.settings.onOutcome?.(outage ? 'postponed' : 'retried')
    const retryMs = this.settings.retryDelaysMs[attempt - 1] ?? this.settings.retryDelaysMs.at(-1) ?? 0
    return {
      position,
      failing: { position: row.position, attempts: attempt, outages, retryMs, error: errorText(error) },
    }
  }
}

/**
 * The events from `first` on that may be handled together, without those of the keys that are held back, and the index after
 * them. No two have the same key, because a key's events keep order.
 */
function waveFrom(
  events: readonly LogRow[],
  first: number,
  heldBack: ReadonlySet<string>,
): { readonly rows: readonly LogRow[]; readonly end: number } {
  const rows: LogRow[] = []
  const keys = new Set<string>()
  let end = first
  while (end < events.length && rows.length < EVENTS_PER_WAVE) {
    const row = events[end]!
    if (keys.has(row.key)) break
    end++
    if (heldBack.has(row.key)) continue
    keys.add(row.key)
    rows.push(row)
  }
  return { rows, end }
}
