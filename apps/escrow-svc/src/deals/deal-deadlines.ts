import type { Clock } from '@holdfast/kernel/clocks'
import type { Deadline } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { DealEntity } from './deal.entity.js'
import type { Outcome } from './deals.repository.js'

/** The names under which the timers know the deadlines of deals. */
export const DEAL_CLOCK = 'deal'
export const PAYMENT_WINDOW = 'payment-window'

/** The payment window has a timer of its own, since the provider must be asked before it ends. */
const timerOf = (clock: Clock) => (clock === 'payment_window' ? PAYMENT_WINDOW : DEAL_CLOCK)

/** Tells the timers of deadlines that were just committed. The timers find in the rows what this could not tell them. */
@Injectable()
export class DealDeadlines {
  constructor(
    private readonly timers: Timers,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  notice({ deal, change: { clock } }: Outcome): void {
    if (clock && clock !== deal.clock) this.set(deal.id, clock.kind, clock.dueAt)
  }

  set(dealId: number, clock: Clock, dueAt: Date): void {
    this.timers.notice(timerOf(clock), String(dealId), dueAt)
  }

  /** The deals whose payment window, or whose other clock, is due before a time, the longest due first. */
  async due(timer: typeof DEAL_CLOCK | typeof PAYMENT_WINDOW, before: Date, limit: number): Promise<Deadline[]> {
    const rows = await this.dataSource
      .getRepository(DealEntity)
      .createQueryBuilder('t')
      .select(['t.id', 't.dueAt'])
      .where('t.due_at <= :before', { before })
      .andWhere(`(t.clock = 'payment_window') = :isWindow`, { isWindow: timer === PAYMENT_WINDOW })
      .orderBy('t.due_at')
      .limit(limit)
      .getMany()
    return rows.map(row => ({ id: String(row.id), dueAt: row.dueAt as Date }))
  }
}
