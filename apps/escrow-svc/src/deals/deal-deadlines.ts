import { CLOCKS, type Clock } from '@holdfast/kernel/clocks'
import { mayEndWithin } from '@holdfast/service-kit/outages/heartbeat'
import type { Deadline } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { Outcome } from './deals.repository.js'

/** The names of the timers of deals. */
export const DEAL_CLOCK = 'deal'
export const PAYMENT_WINDOW = 'payment-window'
export const RECEIVE_BY = 'receive-by'

/**
 * The timer of each clock. Two clocks have a timer of their own, because another party is asked before they end: the
 * provider cancels the open payment, and the carrier may know of a delivery.
 */
const TIMER_OF = {
  payment_window: PAYMENT_WINDOW,
  ship_by: DEAL_CLOCK,
  receive_by: RECEIVE_BY,
  inspection: DEAL_CLOCK,
} as const satisfies Record<Clock, string>
export type DealTimer = (typeof TIMER_OF)[Clock]

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
    this.timers.notice(TIMER_OF[clock], String(dealId), dueAt)
  }

  /** Has the carrier asked about the parcel of a deal at the next sweep of the timers. */
  async askCarrierNow(dealId: number): Promise<void> {
    await this.dataSource.query('UPDATE parcel SET poll_at = now() WHERE transaction_id = $1 AND poll_at IS NOT NULL', [
      dealId,
    ])
  }

  /** The deals whose clock belongs to a timer and is due within a time from now. The earliest due time comes first. */
  async due(timer: DealTimer, aheadMs: number, limit: number): Promise<Deadline[]> {
    const clocks = CLOCKS.filter(clock => TIMER_OF[clock] === timer)
    const rows: { id: string; dueAt: Date }[] = await this.dataSource.query(DUE_DEALS, [clocks, aheadMs, limit])
    return rows
  }
}

/** Exported for the test of its plan. */
export const DUE_DEALS = `SELECT id, due_at AS "dueAt" FROM transaction
  WHERE clock = ANY($1) AND ${mayEndWithin('due_at', 'escrow', '$2')}
  ORDER BY due_at LIMIT $3`
