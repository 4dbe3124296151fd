import { loggerOf } from '@holdfast/service-kit/logging'
import type pg from 'pg'
import { inDbTx } from './db-tx.js'
import { errorText, handleInTime } from './handling.js'
import { eventOf, type LogRow } from './log-event.js'
import { POLL_MS } from './log-listener.js'
import { ADVANCE, BURY, CLAIM } from './log-statements.js'
import { type GroupOptions, MAX_ATTEMPTS, PoisonEventError } from './transport.js'
import { delay, reconnectDelay, Wakeup, within } from './wakeup.js'

/** Most partitions one claim takes, and most events of each. */
const LANES_PER_CLAIM = 8
const EVENTS_PER_LANE = 100

/** A claim that has worked this long stops between two events, so that its progress is kept and its lock moves on. */
const CLAIM_MS = 2_000

/** A claim that is still at work after this no longer holds up the others: the next one takes other partitions. */
const SLOW_CLAIM_MS = 100
export const CLAIMS_AT_ONCE = 3

/** Pause after a claim that found little: company gathers. */
const COALESCE_MS = 10
const LITTLE = 20

interface ClaimedRow extends LogRow {
  readonly read_to: string
  readonly attempts: number
}

/** What became of a lane: how far it is read, and whether its next event waits for another attempt or is buried. */
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
 * One process's part in a consumer group of the embedded log. A claim locks cursors for as long as it handles their
 * events, so nobody else handles them meanwhile and a dead process gives them back at once.
 */
export class LogGroup {
  private readonly logger = loggerOf('events-group')
  private readonly wakeup = new Wakeup()
  private readonly claims = new Set<Promise<number>>()
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly types: ReadonlySet<string> | undefined
  private running: Promise<void> | undefined
  private stopping = false

  constructor(
    private readonly pool: pg.Pool,
    private readonly settings: GroupSettings,
  ) {
    this.types = settings.types && new Set(settings.types)
  }

  start(): void {
    this.running = this.run()
  }

  /** Says that there may be something new. */
  kick(): void {
    this.wakeup.wake()
  }

  /** Claims nothing new and waits for the events in flight; what a claim had not begun is left to others. */
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
        const handled = await this.claimOrPass()
        failures = 0
        if (handled === 0) await this.wakeup.sleep(POLL_MS)
        else if (handled < LITTLE) await delay(COALESCE_MS)
      } catch (error) {
        this.logger.warn({ err: error, group: this.settings.group }, 'events could not be claimed; trying again')
        await delay(reconnectDelay(failures++))
      }
    }
  }

  /** Claims once. A slow claim is left to itself, so that one slow handler does not hold up the other partitions. */
  private async claimOrPass(): Promise<number> {
    const claim = this.claim().finally(() => this.claims.delete(claim))
    this.claims.add(claim)
    if (await within(SLOW_CLAIM_MS, claim)) return claim
    // Its failure is told by the log of whoever waits for it, or by the next claim's. It wakes the others when it ends;
    // if every claim did, an idle group would never sleep.
    void claim
      .catch((error: unknown) => this.logger.warn({ err: error, group: this.settings.group }, 'a claim was lost'))
      .finally(() => this.wakeup.wake())
    if (this.claims.size >= CLAIMS_AT_ONCE) await Promise.race(this.claims).catch(() => 0)
    return LITTLE
  }

  private claim(): Promise<number> {
    return inDbTx(this.pool, async client => {
      const rows = await this.claimedRows(client)
      if (rows.length > 0) await this.record(client, await this.handleLanes(rows))
      return rows.length
    })
  }

  private async claimedRows(client: pg.PoolClient): Promise<ClaimedRow[]> {
    const { group, topics, types } = this.settings
    const values = [group, topics, types ?? null, LANES_PER_CLAIM, EVENTS_PER_LANE]
    return (await client.query<ClaimedRow>({ ...CLAIM, values })).rows
  }

  private async handleLanes(rows: readonly ClaimedRow[]): Promise<Outcome[]> {
    const lanes = new Map<string, ClaimedRow[]>()
    for (const row of rows) {
      const name = `${row.topic}/${row.partition}`
      const lane = lanes.get(name)
      if (lane) lane.push(row)
      else lanes.set(name, [row])
    }
    const until = Date.now() + CLAIM_MS
    return Promise.all([...lanes.values()].map(lane => this.handleLane(lane, until)))
  }

  /** Handles a partition's events one after another, up to the first that fails. */
  private async handleLane(lane: readonly ClaimedRow[], until: number): Promise<Outcome> {
    const { topic, partition, read_to, attempts: earlier } = lane[0]!
    let position = read_to
    for (const [nth, row] of lane.entries()) {
      if (this.stopping || Date.now() > until) break
      if (this.types && !this.types.has(row.type)) {
        position = row.position
        continue
      }
      const attempt = (nth === 0 ? earlier : 0) + 1
      try {
        await handleInTime(this.settings.handler, { event: eventOf(row), attempt })
        position = row.position
        this.settings.onOutcome?.('handled')
      } catch (error) {
        return { topic, partition, ...this.failed(error, row, attempt, position) }
      }
    }
    return { topic, partition, position, attempts: position === read_to ? earlier : 0, retryMs: null }
  }

  private failed(
    error: unknown,
    row: ClaimedRow,
    attempt: number,
    position: string,
  ): Omit<Outcome, 'topic' | 'partition'> {
    const about = { err: error, group: this.settings.group, event: row.id, type: row.type, attempt }
    if (error instanceof PoisonEventError || attempt >= MAX_ATTEMPTS) {
      this.logger.error(about, 'an event goes to the dead letters')
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
    }, ms + COALESCE_MS)
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
