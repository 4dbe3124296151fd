import { setTimeout as sleep } from 'node:timers/promises'
import type { Topic } from '@holdfast/contracts/events'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type pg from 'pg'
import { errorText, handleInTime } from '../consumer/handling.js'
import { type GroupOptions, MAX_ATTEMPTS, PoisonEventError } from '../transport.js'
import { reconnectDelay, Wakeup } from '../wakeup.js'
import { inDbTx } from './db-tx.js'
import { eventOf, type LogRow } from './log-event.js'
import { POLL_MS } from './log-listener.js'
import { ADVANCE, BURY, CLAIM } from './log-statements.js'

/** Most partitions one claim takes, and most events of each. */
const LANES_PER_CLAIM = 8
const EVENTS_PER_LANE = 100

/** Most events of a partition that are handled at the same time. Batch handlers write them in one dbTx. */
const EVENTS_PER_WAVE = 16

/** After this time a claim stops before its next event, so that its progress is saved and its locks are released. */
const CLAIM_MS = 2_000

/** When a claim takes longer than this, the next one starts at the same time and takes other partitions. */
const SLOW_CLAIM_MS = 100
export const CLAIMS_AT_ONCE = 3

/**
 * The pause after a claim. Events that arrive meanwhile are handled in larger batches. The pause is a multiple of the time
 * the claim took, so that consuming events, which is background work, leaves most of the processor to requests.
 */
const SHORTEST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000
const PAUSE_PER_WORK = 4

interface LanePosition {
  readonly topic: Topic
  readonly partition: number
  /** The last position handled before this claim, and the last one that this claim read. */
  readonly read_to: string
  readonly page_end: string
  readonly attempts: number
}
type ClaimedRow = LanePosition & (LogRow | { readonly id: null })

/** The events of one partition that a claim took. */
interface Lane extends LanePosition {
  readonly events: LogRow[]
}

/** The result for one partition: its last handled position, and what happens to the event that failed, if one did. */
interface Outcome {
  readonly topic: string
  readonly partition: number
  readonly position: string
  readonly attempts: number
  readonly retryMs: number | null
  readonly buried?: { readonly attempts: number; readonly error: string }
}

export interface GroupSettings extends GroupOptions {
  readonly retryDelaysMs: readonly number[]
  readonly onOutcome?: (outcome: 'handled' | 'retried' | 'dead_lettered') => void
}

/**
 * One process of a consumer group of the embedded log. A claim locks cursors for as long as it handles their events, so no
 * other process handles them meanwhile, and the locks of a dead process are released at once.
 */
export class LogGroup {
  private readonly logger = loggerOf('events-group')
  private readonly wakeup = new Wakeup()
  private readonly claims = new Set<Promise<boolean>>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private running: Promise<void> | undefined
  private stopping = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly settings: GroupSettings,
  ) {}

  start(): void {
    this.running = this.run()
  }

  /** Makes the loop look for new events at once. */
  kick(): void {
    this.wakeup.wake()
  }

  /** Claims nothing new and waits for the events that are being handled. The rest of a claim is left to other processes. */
  async close(): Promise<void> {
    this.stopping = true
    this.wakeup.wake()
    for (const timer of this.timers) clearTimeout(timer)
    await this.running
    await Promise.allSettled(this.claims)
  }

  private async run(): Promise<void> {
    let failures = 0
    while (!this.stopping) {
      try {
        const began = performance.now()
        const found = await this.claimOrPass()
        failures = 0
        if (found) await sleep(pauseAfter(performance.now() - began))
        else await this.wakeup.sleep(POLL_MS)
      } catch (error) {
        this.logger.warn({ err: error, group: this.settings.group }, 'events could not be claimed; trying again')
        await sleep(reconnectDelay(failures++))
      }
    }
  }

  /**
   * Claims once. A slow claim goes on in the background, so that one slow handler does not delay the other partitions.
   *
   * @returns whether there were events to handle
   */
  private async claimOrPass(): Promise<boolean> {
    const claim = this.claim().finally(() => this.claims.delete(claim))
    this.claims.add(claim)
    if (await isDoneWithin(SLOW_CLAIM_MS, claim)) return claim
    // Only a slow claim wakes the loop when it ends; if every claim did, an idle group would never sleep.
    void claim
      .catch((error: unknown) =>
        this.logger.warn({ err: error, group: this.settings.group }, 'a claim failed; its events are claimed again'),
      )
      .finally(() => this.wakeup.wake())
    if (this.claims.size >= CLAIMS_AT_ONCE) await Promise.race(this.claims).catch(() => false)
    return true
  }

  private claim(): Promise<boolean> {
    return inDbTx(this.pool, async client => {
      const lanes = await this.claimLanes(client)
      const until = Date.now() + CLAIM_MS
      if (lanes.length > 0)
        await this.record(client, await Promise.all(lanes.map(lane => this.handleLane(lane, until))))
      return lanes.length > 0
    })
  }

  private async claimLanes(client: pg.PoolClient): Promise<Lane[]> {
    const { group, topics, types } = this.settings
    const values = [group, topics, types ?? null, LANES_PER_CLAIM, EVENTS_PER_LANE]
    const { rows } = await client.query<ClaimedRow>({ ...CLAIM, values })
    const lanes: Lane[] = []
    for (const row of rows) {
      const { topic, partition, read_to, page_end, attempts } = row
      let lane = lanes.at(-1)
      if (lane?.topic !== topic || lane.partition !== partition) {
        lane = { topic, partition, read_to, page_end, attempts, events: [] }
        lanes.push(lane)
      }
      if (row.id !== null) lane.events.push(row)
    }
    return lanes
  }

  /** Handles a partition's events, those with different keys together, up to the first event that fails. */
  private async handleLane(lane: Lane, until: number): Promise<Outcome> {
    const { topic, partition, read_to, page_end, attempts: earlier, events } = lane
    let position = read_to
    let handled = 0
    while (handled < events.length) {
      if (this.stopping || Date.now() > until)
        return { topic, partition, position, attempts: handled === 0 ? earlier : 0, retryMs: null }
      const wave = waveFrom(events, handled)
      const results = await Promise.all(wave.map((row, i) => this.handle(row, handled + i === 0 ? earlier + 1 : 1)))
      for (const [i, failure] of results.entries()) {
        // Events after the failed one that succeeded are delivered again together with it; the inbox drops them.
        if (failure) return { topic, partition, ...this.failed(failure.error, wave[i]!, failure.attempt, position) }
        position = wave[i]!.position
      }
      handled += wave.length
    }
    return { topic, partition, position: page_end, attempts: 0, retryMs: null }
  }

  /** @returns null when the event was handled */
  private async handle(row: LogRow, attempt: number): Promise<{ error: unknown; attempt: number } | null> {
    try {
      await handleInTime(this.settings.handler, { event: eventOf(row), attempt })
      this.settings.onOutcome?.('handled')
      return null
    } catch (error) {
      return { error, attempt }
    }
  }

  private failed(error: unknown, row: LogRow, attempt: number, position: string): Omit<Outcome, 'topic' | 'partition'> {
    const about = { err: error, group: this.settings.group, event: row.id, type: row.type, attempt }
    if (error instanceof PoisonEventError || attempt >= MAX_ATTEMPTS) {
      this.logger.error(about, 'an event became a dead letter')
      this.settings.onOutcome?.('dead_lettered')
      const buried = { attempts: attempt, error: errorText(error) }
      return { position: row.position, attempts: 0, retryMs: null, buried }
    }
    this.logger.warn(about, 'an event was not handled; trying again')
    this.settings.onOutcome?.('retried')
    const retryMs = this.settings.retryDelaysMs[attempt - 1] ?? this.settings.retryDelaysMs.at(-1) ?? 0
    this.kickIn(retryMs)
    return { position, attempts: attempt, retryMs }
  }

  private kickIn(ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      this.kick()
    }, ms + SHORTEST_PAUSE_MS)
    this.timers.add(timer)
  }

  private async record(client: pg.PoolClient, outcomes: readonly Outcome[]): Promise<void> {
    const { group } = this.settings
    for (const { topic, partition, position, buried } of outcomes) {
      if (buried) await client.query(BURY, [group, topic, partition, position, buried.attempts, buried.error])
    }
    const values = [
      group,
      outcomes.map(outcome => outcome.topic),
      outcomes.map(outcome => outcome.partition),
      outcomes.map(outcome => outcome.position),
      outcomes.map(outcome => outcome.attempts),
      outcomes.map(outcome => outcome.retryMs),
    ]
    await client.query({ ...ADVANCE, values })
  }
}

/** The events from `first` on that may be handled together. No two have the same key, because a key's events keep order. */
function waveFrom(events: readonly LogRow[], first: number): readonly LogRow[] {
  const keys = new Set<string>()
  let end = first
  while (end < events.length && keys.size < EVENTS_PER_WAVE && !keys.has(events[end]!.key)) keys.add(events[end++]!.key)
  return events.slice(first, end)
}

const pauseAfter = (workMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, PAUSE_PER_WORK * workMs))
