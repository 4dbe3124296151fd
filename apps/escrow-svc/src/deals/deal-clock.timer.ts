import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { DEAL_CLOCK, DealDeadlines } from './deal-deadlines.js'
import { DealsService } from './deals.service.js'

/** Gives deals the command of their clock once it is due. The due time in the row decides; a timer only reads the row. */
@Injectable()
export class DealClockTimer implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly deadlines: DealDeadlines,
    private readonly deals: DealsService,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: DEAL_CLOCK,
      upcoming: (aheadMs, limit) => this.deadlines.due(DEAL_CLOCK, aheadMs, limit),
      fire: async id => void (await this.deals.endDueClock(Number(id))),
    })
  }
}
