import type { Clock } from '@holdfast/kernel/clocks'
import type { Deadline } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, Not, Raw } from 'typeorm'
import { DealEntity } from './deal.entity.js'
import { CLOCKS_END_UNTIL } from './deal-row.js'
import type { Outcome } from './deals.repository.js'

/** The names of the two timers of deals. */
export const DEAL_CLOCK = 'deal'
export const PAYMENT_WINDOW = 'payment-window'

/** The payment window has its own timer, because the open payment is cancelled at the provider before the window ends. */
const timerOf = (clock: Clock) => (clock === 'payment_window' ? PAYMENT_WINDOW : DEAL_CLOCK)

/** Sets timers for deadlines that were just committed. The timers also read the rows, so a lost call only costs seconds. */
@Injectable()
export class DealDeadlines {
  constructor(
    private readonly timers: Timers,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** Sets a timer when a change started a clock. */
  notice({ deal, change: { clock } }: Outcome): void {
    if (clock && clock !== deal.clock) this.set(deal.id, clock.kind, clock.dueAt)
  }

  set(dealId: number, clock: Clock, dueAt: Date): void {
    this.timers.notice(timerOf(clock), String(dealId), dueAt)
  }

  /**
   * The deals whose payment window (or whose other clock) is due within a time from now. The earliest due time comes first.
   */
  async due(timer: typeof DEAL_CLOCK | typeof PAYMENT_WINDOW, aheadMs: number, limit: number): Promise<Deadline[]> {
    const rows = await this.dataSource.getRepository(DealEntity).find({
      select: { id: true, dueAt: true },
      where: {
        dueAt: Raw(column => `${column} <= ${CLOCKS_END_UNTIL} + :aheadMs * interval '1 millisecond'`, { aheadMs }),
        clock: timer === PAYMENT_WINDOW ? 'payment_window' : Not('payment_window'),
      },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: String(row.id), dueAt: row.dueAt as Date }))
  }
}
