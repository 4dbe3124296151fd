import { newId } from '@holdfast/kernel/ids'
import { isDoneWithin, pause } from '@holdfast/service-kit/lifecycle/waiting'
import { loggerOf, requestContext } from '@holdfast/service-kit/telemetry/logging'
import { counter, histogram } from '@holdfast/service-kit/telemetry/metrics'
import { beginTrace, withSpan } from '@holdfast/service-kit/telemetry/telemetry'
import pLimit from 'p-limit'
import type { Deadline, DeadlineSource } from './deadline.js'
import { FiringAttempts } from './firing-attempts.js'

/** The sweeper fires deadlines that are this late, in batches of this size. */
const SWEEP_AFTER_MS = 2_000
const SWEEP_BATCH = 200
/** Most batches of one sweep. The rest, as after a week of downtime, waits for the next sweep. */
const SWEEP_ROUNDS = 50
const FIRED_AT_ONCE = 8

/** A firing that takes longer gives its slot to the next one. */
const FIRING_BUDGET_MS = 30_000
/** While this many times `atOnce` firings have not returned, the source hangs, and its lane starts no further one. */
const MAX_UNRETURNED = 4
/** The most deadlines from the queue that wait for a slot. The sweeper finds further ones. */
const MAX_WAITING = 1_000

const fired = counter('timers_fired_total', 'Deadlines that fired, by queue or sweeper', ['source', 'by'])
const failed = counter('timers_failed_total', 'Deadlines that could not fire and are tried again', ['source'])
const overran = counter('timers_overran_total', 'Firings that took longer than their budget', ['source'])
const lateness = histogram('timers_lateness_seconds', 'Time between a deadline and its firing', ['source'])

/**
 * Fires the deadlines of one source, with slots, attempts and time limits of its own. So a source whose work hangs, for example
 * because the payment provider hangs, delays no other source.
 */
export class Lane {
  private readonly logger = loggerOf('timers')
  private readonly attempts = new FiringAttempts()
  private readonly slots: ReturnType<typeof pLimit>
  private readonly maxUnreturned: number
  private readonly budgetMs: number
  /** The firings that have not returned, by deadline. */
  private readonly unreturned = new Map<string, Promise<boolean>>()

  constructor(
    private readonly source: DeadlineSource,
    private readonly stopping: AbortSignal,
  ) {
    const atOnce = source.atOnce ?? FIRED_AT_ONCE
    this.slots = pLimit(atOnce)
    this.maxUnreturned = atOnce * MAX_UNRETURNED
    this.budgetMs = source.budgetMs ?? FIRING_BUDGET_MS
  }

  get name(): string {
    return this.source.name
  }

  /** The deadlines that are due within a time from now, at most `limit`. */
  upcoming(aheadMs: number, limit: number): Promise<readonly Deadline[]> {
    return this.source.upcoming(aheadMs, limit)
  }

  /** Fires what is overdue, in batches. @returns how many fired */
  async sweep(): Promise<number> {
    let count = 0
    for (let round = 0; round < SWEEP_ROUNDS && !this.stopping.aborted; round++) {
      const overdue = await this.overdue()
      const outcomes = await this.slots.map(overdue, deadline => this.fire(deadline, 'sweeper'))
      count += outcomes.filter(Boolean).length
      if (overdue.length < SWEEP_BATCH) break
    }
    return count
  }

  /** Fires a deadline that the queue reports, after `inMs`. It returns at once, so that the queue goes on with the next job. */
  wake(deadline: Deadline, inMs: number): void {
    if (this.slots.pendingCount >= MAX_WAITING) return
    void pause(Math.max(0, inMs), this.stopping).then(() => this.slots(() => this.fire(deadline, 'queue')))
  }

  /** Resolves when every firing has returned. */
  async returned(): Promise<void> {
    await Promise.all(this.unreturned.values())
  }

  /** The overdue deadlines that may be tried now. It reads more rows than it needs, so that those that must wait block no others. */
  private async overdue(): Promise<Deadline[]> {
    const found = await this.source.upcoming(-SWEEP_AFTER_MS, SWEEP_BATCH + this.attempts.pausing())
    return found.filter(deadline => this.attempts.mayTry(instanceOf(deadline)))
  }

  /** @returns whether the deadline fired within its budget */
  private async fire(deadline: Deadline, by: 'queue' | 'sweeper'): Promise<boolean> {
    const instance = instanceOf(deadline)
    if (this.stopping.aborted || this.unreturned.has(instance) || this.unreturned.size >= this.maxUnreturned)
      return false
    if (!this.attempts.mayTry(instance)) return false
    this.attempts.note(instance)
    const firing = this.run(deadline, by).finally(() => this.unreturned.delete(instance))
    this.unreturned.set(instance, firing)
    if (await isDoneWithin(this.budgetMs, firing)) return firing
    overran.inc({ source: this.name })
    this.logger.error(
      { source: this.name, id: deadline.id },
      'a deadline takes too long to fire; others go on meanwhile',
    )
    return false
  }

  private async run({ id, dueAt }: Deadline, by: 'queue' | 'sweeper'): Promise<boolean> {
    const source = this.name
    const attributes = { 'deadline.source': source, 'deadline.id': id }
    try {
      const requestId = newId()
      await requestContext.run({ requestId }, () =>
        withSpan(beginTrace(requestId, `fire ${source}`, { attributes }), () => this.source.fire(id, dueAt)),
      )
    } catch (error) {
      failed.inc({ source })
      this.logger.error({ err: error, source, id, dueAt }, 'a deadline could not fire; trying again')
      return false
    }
    fired.inc({ source, by })
    lateness.observe({ source }, Math.max(0, Date.now() - dueAt.getTime()) / 1000)
    return true
  }
}

/** Names a deadline with its due time: a row with a new due time is another deadline. */
export const instanceOf = ({ id, dueAt }: Deadline): string => `${id}-${dueAt.getTime()}`
