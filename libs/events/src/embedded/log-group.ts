import { setTimeout as sleep } from 'node:timers/promises'
import { isDoneWithin } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type pg from 'pg'
import { whileAlive } from '../connection.js'
import { type GroupSettings, type Lane, LaneHandler, type LaneOutcome, type LanePosition } from '../consumer/lane.js'
import type { LogRow } from '../consumer/log-event.js'
import { isWorthLogging, reconnectDelay, Wakeup } from '../wakeup.js'
import { inDbTx } from './db-tx.js'
import { POLL_MS } from './log-listener.js'
import { ADVANCE, CLAIM, WRITE_DEAD_LETTER } from './log-statements.js'

/** Most partitions one claim takes, and most events of each. */
const LANES_PER_CLAIM = 8
const EVENTS_PER_LANE = 100

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

type ClaimedRow = LanePosition & (LogRow | { readonly id: null })

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
  private readonly lanes: LaneHandler

  constructor(
    private readonly pool: pg.Pool,
    private readonly settings: GroupSettings,
  ) {
    this.lanes = new LaneHandler(settings)
  }

  start(): void {
    this.running = this.run()
  }

  /** Makes the loop look for new events at once. */
  wake(): void {
    this.wakeup.wake()
  }

  /** Claims nothing new and waits for the events that are being handled. The rest of a claim is left to other processes. */
  async close(): Promise<void> {
    this.stopping = true
    this.lanes.stop()
    this.wakeup.wake()
    await this.running
    await Promise.allSettled(this.claims)
    // The last claims may have set some.
    for (const timer of this.timers) clearTimeout(timer)
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
        if (isWorthLogging(failures))
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
      const outcomes = await whileAlive(client, Promise.all(lanes.map(lane => this.lanes.handle(lane, until))))
      const tried = outcomes.filter(outcome => outcome !== null)
      if (tried.length > 0) await this.record(client, tried)
      for (const { failing } of tried) if (failing) this.wakeIn(failing.retryMs)
      return lanes.length > 0
    })
  }

  private async claimLanes(client: pg.PoolClient): Promise<Lane[]> {
    const { group, topics, skips = [] } = this.settings
    const values = [group, topics, skips, LANES_PER_CLAIM, EVENTS_PER_LANE]
    const { rows } = await client.query<ClaimedRow>({ ...CLAIM, values })
    const lanes: (LanePosition & { readonly events: LogRow[] })[] = []
    for (const row of rows) {
      const { topic, partition, read_to, page_end, attempts, outages } = row
      let lane = lanes.at(-1)
      if (lane?.topic !== topic || lane.partition !== partition) {
        lane = { topic, partition, read_to, page_end, attempts, outages, events: [] }
        lanes.push(lane)
      }
      if (row.id !== null) lane.events.push(row)
    }
    return lanes
  }

  private wakeIn(ms: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer)
      this.wake()
    }, ms + SHORTEST_PAUSE_MS)
    this.timers.add(timer)
  }

  private async record(client: pg.PoolClient, outcomes: readonly LaneOutcome[]): Promise<void> {
    const { group } = this.settings
    for (const { topic, partition, position, deadLetter } of outcomes) {
      if (deadLetter)
        await client.query(WRITE_DEAD_LETTER, [
          group,
          topic,
          partition,
          position,
          deadLetter.attempts,
          deadLetter.error,
        ])
    }
    const values = [
      group,
      outcomes.map(outcome => outcome.topic),
      outcomes.map(outcome => outcome.partition),
      outcomes.map(outcome => outcome.position),
      outcomes.map(({ failing }) => failing?.attempts ?? 0),
      outcomes.map(({ failing }) => failing?.outages ?? 0),
      outcomes.map(({ failing }) => failing?.retryMs ?? null),
      outcomes.map(({ failing }) => failing?.position ?? null),
      outcomes.map(({ failing }) => failing?.error ?? null),
    ]
    await client.query({ ...ADVANCE, values })
  }
}

const pauseAfter = (workMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, PAUSE_PER_WORK * workMs))
