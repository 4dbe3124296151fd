import { setMaxListeners } from 'node:events'
import { assert } from '@holdfast/kernel/assert'
import { isDoneWithin, pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import type { Deadline, DeadlineSource } from './deadline.js'
import { instanceOf, Lane } from './lane.js'
import { postgresStore } from './postgres-store.js'
import { RedisStore, type RedisStoreOptions } from './redis-store.js'
import { WakeupQueue } from './wakeup-queue.js'

/** The planner sets alarms for deadlines that are due within this time, this often, and for at most so many of a source. */
const PLAN_HORIZON_MS = 60_000
const PLAN_EVERY_MS = 20_000
const PLAN_LIMIT = 1_000

/** The most notices that wait for their alarm. The planner or the sweeper finds further deadlines. */
const MAX_NOTICES = 2_000

/** The sweeper runs this often. */
const SWEEP_EVERY_MS = 5_000

/** A job that runs too early by at most this waits for its time. An earlier one is dropped; the planner makes a new one. */
const EARLY_MS = 1_000

/** How long stopping waits for deadlines that are being fired. */
const STOP_WITHIN_MS = 10_000

export interface TimersOptions {
  readonly databaseUrl: string
  /** The service: its name is the queue's. */
  readonly service: string
  /** The Redis with the queue. When left out, the queue is in the database. */
  readonly redis?: RedisStoreOptions | undefined
}

/**
 * Fires deadlines. A row holds each of them; a job in the queue is only an alarm, and a sweeper finds the deadlines that the
 * queue lost. So an emptied queue or a week of downtime makes deadlines late, and never loses one. Each source has a lane of
 * its own, so that one whose work hangs delays no other.
 */
export class Timers {
  private readonly logger = loggerOf('timers')
  private readonly lanes = new Map<string, Lane>()
  /** Each alarm that this process sets or has set, by job, so that it is not set again by the next pass or by another one at the same time. */
  private readonly planned = new Map<string, { readonly dueMs: number; readonly isSet: Promise<void> }>()
  private noticed: Promise<void> = Promise.resolve()
  private notices = 0
  private readonly loops: Promise<void>[] = []
  private readonly stopping = new AbortController()
  private queue: WakeupQueue | undefined

  constructor(private readonly options: TimersOptions) {
    // Every loop of every lane waits with this signal. Node would warn of a leak beyond ten of them.
    setMaxListeners(0, this.stopping.signal)
  }

  /** Whether the queue takes alarms. While it does not, the sweeper alone fires the deadlines. */
  get queueIsUsable(): boolean {
    return this.queue?.usable ?? false
  }

  /** Adds a kind of deadline. Before `start`. */
  add(source: DeadlineSource): void {
    assert(/^[a-z][a-z-]*$/.test(source.name), `invalid name of a source: ${source.name}`)
    assert(!this.lanes.has(source.name) && !this.queue, `${source.name} comes twice or too late`)
    this.lanes.set(source.name, new Lane(source, this.stopping.signal))
  }

  /**
   * Fires what is overdue, then keeps planning and sweeping. Waits for a database or a Redis that is unreachable.
   * @throws Error when Redis may evict keys and such a Redis is refused
   */
  async start(): Promise<void> {
    if (this.lanes.size === 0) return
    const { databaseUrl, service, redis } = this.options
    const store = redis ? new RedisStore(redis) : postgresStore(databaseUrl, service)
    this.queue = new WakeupQueue(store, service, (source, deadline) => this.wake(source, deadline))
    try {
      await this.queue.start()
    } catch (error) {
      await this.stop()
      throw error
    }
    for (const lane of this.lanes.values())
      this.loops.push(
        this.every(SWEEP_EVERY_MS, () => lane.sweep()),
        this.every(PLAN_EVERY_MS, () => this.planFor(lane)),
      )
  }

  /**
   * Sets the alarm of a deadline that a command has just committed, so that one in a few seconds is not late. Never fails:
   * without the alarm the planner or the sweeper finds the deadline.
   */
  notice(source: string, id: string, dueAt: Date): void {
    if (dueAt.getTime() > Date.now() + PLAN_HORIZON_MS || this.notices >= MAX_NOTICES) return
    this.notices++
    // One after another, so that a burst does not take every connection.
    this.noticed = this.noticed.then(async () => {
      try {
        await this.setAlarm(source, { id, dueAt })
      } catch (error) {
        this.logger.warn({ err: error, source, id }, 'an alarm could not be set; the sweeper will fire it')
      } finally {
        this.notices--
      }
    })
  }

  /** Fires no further deadline and waits for those that are being fired. */
  async stop(): Promise<void> {
    this.stopping.abort()
    const lanes = [...this.lanes.values()].map(lane => lane.returned())
    const done = Promise.all([...this.loops, this.queue?.close(), ...lanes])
    if (!(await isDoneWithin(STOP_WITHIN_MS, done))) this.logger.warn('timers did not stop in time')
    this.queue = undefined
  }

  /** Sets alarms for what is due soon. */
  async plan(): Promise<void> {
    await Promise.all([...this.lanes.values()].map(lane => this.planFor(lane)))
  }

  /** Fires what is overdue. @returns how many fired */
  async sweep(): Promise<number> {
    const counts = await Promise.all([...this.lanes.values()].map(lane => lane.sweep()))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  private async planFor(lane: Lane): Promise<void> {
    const now = Date.now()
    for (const [job, { dueMs }] of this.planned) if (dueMs < now) this.planned.delete(job)
    for (const deadline of await lane.upcoming(PLAN_HORIZON_MS, PLAN_LIMIT)) {
      // The sweeper fires what is overdue.
      if (deadline.dueAt.getTime() > now) await this.setAlarm(lane.name, deadline)
    }
  }

  /** Handles a job of the queue. The job ends at once: it only wakes the lane, and the row keeps the deadline. */
  private wake(name: string, deadline: Deadline): void {
    const early = deadline.dueAt.getTime() - Date.now()
    if (early > EARLY_MS) return void this.planned.delete(jobOf(name, deadline))
    // A job of another release may name an unknown source. A process that knows it finds the row.
    this.lanes.get(name)?.wake(deadline, early)
  }

  /** While the queue cannot take the alarm, this does nothing: the sweeper finds the deadline. */
  private async setAlarm(source: string, deadline: Deadline): Promise<void> {
    const job = jobOf(source, deadline)
    const known = this.planned.get(job)
    if (known) return known.isSet
    if (!this.queue?.usable) return
    const isSet = this.queue.add(source, deadline)
    this.planned.set(job, { dueMs: deadline.dueAt.getTime(), isSet })
    try {
      await isSet
    } catch (error) {
      this.planned.delete(job)
      throw error
    }
  }

  private async every(ms: number, work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        await work()
      } catch (error) {
        this.logger.warn({ err: error }, 'deadlines could not be read or planned; trying again')
      }
      await pause(ms, signal)
    }
  }
}

const jobOf = (source: string, deadline: Deadline): string => `${source}-${instanceOf(deadline)}`
