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

/** Deadlines nearer than this get an alarm; the planner looks for them this often, and takes so many of a source. */
export const PLAN_HORIZON_MS = 60_000
export const PLAN_EVERY_MS = 20_000
export const PLAN_LIMIT = 1_000

/** Most notices that wait for their alarm. What comes on top is found by the planner or the sweeper. */
const MAX_NOTICES = 2_000

/** The sweeper fires what is this late, whether or not the queue knew it, so many at a time. */
export const SWEEP_EVERY_MS = 5_000
export const SWEEP_AFTER_MS = 2_000
export const SWEEP_BATCH = 200
/** Batches of one sweep: what is left after a week of absence waits for the next one. */
export const SWEEP_ROUNDS = 50
const FIRED_AT_ONCE = 8

/** An alarm that rings this early is waited out; an earlier one is dropped, and the planner sets it again. */
const EARLY_MS = 1_000

/** How long stopping waits for what is at work. */
const STOP_WITHIN_MS = 10_000

const fired = counter('timers_fired_total', 'Deadlines that fired, and who noticed', ['source', 'by'])
const failed = counter('timers_failed_total', 'Deadlines that could not fire and are tried again', ['source'])
const lateness = histogram('timers_lateness_seconds', 'Time between a deadline and its firing', ['source'])

export interface TimersOptions {
  readonly databaseUrl: string
  /** The service: its name is the queue's. */
  readonly service: string
}

/**
 * Fires deadlines. They live in rows; an alarm in the queue only wakes us, and a sweeper finds what the queue lost. So
 * wiping the queue, being off for a week, or two replicas at once change nothing but how late a deadline is.
 */
export class Timers {
  private readonly logger = loggerOf('timers')
  private readonly sources = new Map<string, DeadlineSource>()
  private readonly attempts = new FiringAttempts()
  /** Alarms this process has set, by job, with their time: they need not be set at every pass. */
  private readonly planned = new Map<string, number>()
  private noticed: Promise<void> = Promise.resolve()
  private notices = 0
  private readonly loops: Promise<void>[] = []
  private readonly stopping = new AbortController()
  private queue: WakeupQueue | undefined

  constructor(private readonly options: TimersOptions) {}

  /** Adds a kind of deadline. Before `start`. */
  add(source: DeadlineSource): void {
    assert(/^[a-z][a-z-]*$/.test(source.name), `not a name for a source: ${source.name}`)
    assert(!this.sources.has(source.name) && !this.queue, `${source.name} comes twice or too late`)
    this.sources.set(source.name, source)
  }

  /** Fires what is overdue, then keeps planning and sweeping. A database that is away is waited for. */
  start(): void {
    if (this.sources.size === 0) return
    this.queue = new WakeupQueue(this.options.databaseUrl, this.options.service, (source, deadline) =>
      this.ring(source, deadline),
    )
    this.queue.start()
    this.loops.push(
      this.every(SWEEP_EVERY_MS, () => this.sweep()),
      this.every(PLAN_EVERY_MS, () => this.plan()),
    )
  }

  /**
   * Tells of a deadline that a command has just committed, so that one seconds away is not late. Never fails: what it
   * cannot tell, the planner or the sweeper finds.
   */
  notice(source: string, id: string, dueAt: Date): void {
    if (dueAt.getTime() > Date.now() + PLAN_HORIZON_MS || this.notices >= MAX_NOTICES) return
    this.notices++
    // One after another: a burst shall not take every connection.
    this.noticed = this.noticed.then(async () => {
      try {
        await this.setAlarm(source, { id, dueAt })
      } catch (error) {
        this.logger.warn({ err: error, source, id }, 'an alarm could not be set; the sweeper will see to it')
      } finally {
        this.notices--
      }
    })
  }

  /** Fires nothing new and waits for what is being fired. */
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
      const soon = await source.upcoming(new Date(now + PLAN_HORIZON_MS), PLAN_LIMIT)
      for (const deadline of soon) {
        // What is overdue already is the sweeper's.
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

  /** Those tried a moment ago are left out, and asked for on top, so that what stays due blocks nobody. */
  private async overdue(source: DeadlineSource): Promise<Deadline[]> {
    const before = new Date(Date.now() - SWEEP_AFTER_MS)
    const found = await source.upcoming(before, SWEEP_BATCH + this.attempts.pausing(source.name))
    return found.filter(deadline => this.attempts.mayTry(source.name, instanceOf(deadline)))
  }

  private async fireAll(source: DeadlineSource, deadlines: readonly Deadline[]): Promise<number> {
    const limit = pLimit(source.atOnce ?? FIRED_AT_ONCE)
    const fireUnlessStopping = async (deadline: Deadline) =>
      !this.stopping.signal.aborted && (await this.fire(source, deadline, 'sweeper'))
    const outcomes = await limit.map(deadlines, fireUnlessStopping)
    return outcomes.filter(Boolean).length
  }

  /** A job of the queue came up. */
  private async ring(name: string, deadline: Deadline): Promise<void> {
    const source = this.sources.get(name)
    // A job of a newer or older release: its row is found by the process that knows it.
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
        this.logger.warn({ err: error }, 'deadlines could not be looked at; trying again')
      }
      await pause(ms, signal)
    }
  }
}

const instanceOf = ({ id, dueAt }: Deadline): string => `${id}-${dueAt.getTime()}`

const jobOf = (source: string, deadline: Deadline): string => `${source}-${instanceOf(deadline)}`
