import { assert } from '@holdfast/kernel/assert'
import { newId } from '@holdfast/kernel/ids'
import { isDoneWithin, pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf, requestContext } from '@holdfast/service-kit/telemetry/logging'
import { counter, histogram } from '@holdfast/service-kit/telemetry/metrics'
import { withSpan } from '@holdfast/service-kit/telemetry/telemetry'
import pLimit from 'p-limit'
import type { Deadline, DeadlineSource } from './deadline.js'
import { FiringAttempts } from './firing-attempts.js'
import { WakeupQueue } from './wakeup-queue.js'

/** The planner sets alarms for deadlines that are due within this time, this often, and for at most so many of a source. */
export const PLAN_HORIZON_MS = 60_000
export const PLAN_EVERY_MS = 20_000
export const PLAN_LIMIT = 1_000

/** Most notices that wait for their alarm. The planner or the sweeper finds further deadlines. */
const MAX_NOTICES = 2_000

/** The sweeper runs this often. It fires deadlines that are this late, in batches of this size. */
export const SWEEP_EVERY_MS = 5_000
export const SWEEP_AFTER_MS = 2_000
export const SWEEP_BATCH = 200
/** Most batches of one sweep. The rest, as after a week of downtime, waits for the next sweep. */
export const SWEEP_ROUNDS = 50
const FIRED_AT_ONCE = 8

/** A job that runs too early by at most this waits for its time. An earlier one is dropped; the planner makes a new one. */
const EARLY_MS = 1_000

/** How long stopping waits for deadlines that are being fired. */
const STOP_WITHIN_MS = 10_000

const fired = counter('timers_fired_total', 'Deadlines that fired, by queue or sweeper', ['source', 'by'])
const failed = counter('timers_failed_total', 'Deadlines that could not fire and are tried again', ['source'])
const lateness = histogram('timers_lateness_seconds', 'Time between a deadline and its firing', ['source'])

export interface TimersOptions {
  readonly databaseUrl: string
  /** The service: its name is the queue's. */
  readonly service: string
}

/**
 * Fires deadlines. A row holds each of them; a job in the queue is only an alarm, and a sweeper finds the deadlines that the
 * queue lost. So an emptied queue or a week of downtime makes deadlines late, and never loses one.
 */
export class Timers {
  private readonly logger = loggerOf('timers')
  private readonly sources = new Map<string, DeadlineSource>()
  private readonly attempts = new FiringAttempts()
  /** The time of each alarm that this process has set, by job, so that it is not set again at every pass. */
  private readonly planned = new Map<string, number>()
  private noticed: Promise<void> = Promise.resolve()
  private notices = 0
  private readonly loops: Promise<void>[] = []
  private readonly stopping = new AbortController()
  private queue: WakeupQueue | undefined

  constructor(private readonly options: TimersOptions) {}

  /** Adds a kind of deadline. Before `start`. */
  add(source: DeadlineSource): void {
    assert(/^[a-z][a-z-]*$/.test(source.name), `invalid name of a source: ${source.name}`)
    assert(!this.sources.has(source.name) && !this.queue, `${source.name} comes twice or too late`)
    this.sources.set(source.name, source)
  }

  /** Fires what is overdue, then keeps planning and sweeping. Waits for a database that is unreachable. */
  start(): void {
    if (this.sources.size === 0) return
    this.queue = new WakeupQueue(this.options.databaseUrl, this.options.service, (source, deadline) =>
      this.runJob(source, deadline),
    )
    this.queue.start()
    this.loops.push(
      this.every(SWEEP_EVERY_MS, () => this.sweep()),
      this.every(PLAN_EVERY_MS, () => this.plan()),
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
    const done = Promise.all([...this.loops, this.queue?.close()])
    if (!(await isDoneWithin(STOP_WITHIN_MS, done))) this.logger.warn('timers did not stop in time')
    this.queue = undefined
  }

  /** Sets alarms for what is due soon. */
  async plan(): Promise<void> {
    const now = Date.now()
    for (const [job, dueAt] of this.planned) if (dueAt < now) this.planned.delete(job)
    for (const source of this.sources.values()) {
      const soon = await source.upcoming(PLAN_HORIZON_MS, PLAN_LIMIT)
      for (const deadline of soon) {
        // The sweeper fires what is overdue.
        if (deadline.dueAt.getTime() > now) await this.setAlarm(source.name, deadline)
      }
    }
  }

  /** Fires what is overdue, in batches. @returns how many fired */
  async sweep(): Promise<number> {
    let count = 0
    for (const source of this.sources.values()) {
      for (let round = 0; round < SWEEP_ROUNDS && !this.stopping.signal.aborted; round++) {
        const overdue = await this.overdue(source)
        count += await this.fireAll(source, overdue)
        if (overdue.length < SWEEP_BATCH) break
      }
    }
    return count
  }

  /** The overdue deadlines without those that must wait. It reads as many more, so that these do not block others. */
  private async overdue(source: DeadlineSource): Promise<Deadline[]> {
    const found = await source.upcoming(-SWEEP_AFTER_MS, SWEEP_BATCH + this.attempts.pausing(source.name))
    return found.filter(deadline => this.attempts.mayTry(source.name, instanceOf(deadline)))
  }

  private async fireAll(source: DeadlineSource, deadlines: readonly Deadline[]): Promise<number> {
    const limit = pLimit(source.atOnce ?? FIRED_AT_ONCE)
    const fireUnlessStopping = async (deadline: Deadline) =>
      !this.stopping.signal.aborted && (await this.fire(source, deadline, 'sweeper'))
    const outcomes = await limit.map(deadlines, fireUnlessStopping)
    return outcomes.filter(Boolean).length
  }

  /** Handles a job of the queue. */
  private async runJob(name: string, deadline: Deadline): Promise<void> {
    const source = this.sources.get(name)
    // The job is of another release. A process that knows its source finds the row.
    if (!source) return
    const early = deadline.dueAt.getTime() - Date.now()
    if (early > EARLY_MS) return void this.planned.delete(jobOf(name, deadline))
    if (early > 0) await pause(early, this.stopping.signal)
    if (this.attempts.mayTry(name, instanceOf(deadline))) await this.fire(source, deadline, 'queue')
  }

  private async fire(source: DeadlineSource, deadline: Deadline, by: 'queue' | 'sweeper'): Promise<boolean> {
    const { id, dueAt } = deadline
    this.attempts.note(source.name, instanceOf(deadline))
    const attributes = { 'deadline.source': source.name, 'deadline.id': id }
    try {
      await requestContext.run({ requestId: newId() }, () =>
        withSpan(`fire ${source.name}`, { attributes }, () => source.fire(id, dueAt)),
      )
    } catch (error) {
      failed.inc({ source: source.name })
      this.logger.error({ err: error, source: source.name, id, dueAt }, 'a deadline could not fire; trying again')
      return false
    }
    fired.inc({ source: source.name, by })
    lateness.observe({ source: source.name }, Math.max(0, Date.now() - dueAt.getTime()) / 1000)
    return true
  }

  private async setAlarm(source: string, deadline: Deadline): Promise<void> {
    const job = jobOf(source, deadline)
    if (this.planned.has(job) || !this.queue) return
    await this.queue.add(source, deadline)
    this.planned.set(job, deadline.dueAt.getTime())
  }

  private async every(ms: number, work: () => Promise<unknown>): Promise<void> {
    const { signal } = this.stopping
    while (!signal.aborted) {
      try {
        await work()
      } catch (error) {
        this.logger.warn({ err: error }, 'deadlines could not be read; trying again')
      }
      await pause(ms, signal)
    }
  }
}

const instanceOf = ({ id, dueAt }: Deadline): string => `${id}-${dueAt.getTime()}`

const jobOf = (source: string, deadline: Deadline): string => `${source}-${instanceOf(deadline)}`
