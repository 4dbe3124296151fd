import { Timers } from '@holdfast/timers/timers'
import { Injectable } from '@nestjs/common'
import type { Outcome } from './deals.repository.js'

/** The name under which the deadlines of deals are known to the timers. */
export const DEADLINES = 'deal'

/** Tells the timers of deadlines that were just committed. What it cannot tell, they find in the rows. */
@Injectable()
export class Deadlines {
  constructor(private readonly timers: Timers) {}

  notice({ transaction, change }: Outcome): void {
    if (change.clock && change.clock !== transaction.clock) this.set(transaction.id, change.clock.dueAt)
  }

  set(transactionId: number, dueAt: Date): void {
    this.timers.notice(DEADLINES, String(transactionId), dueAt)
  }
}
