import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { DealDeadlines, RECEIVE_BY } from '../deals/deal-deadlines.js'
import { ReceiveByService } from './receive-by.service.js'

/** Ends the receive-by dates of deals once they are due. */
@Injectable()
export class ReceiveByTimer implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly deadlines: DealDeadlines,
    private readonly receiveBy: ReceiveByService,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: RECEIVE_BY,
      upcoming: (aheadMs, limit) => this.deadlines.due(RECEIVE_BY, aheadMs, limit),
      fire: id => this.receiveBy.end(Number(id)),
    })
  }
}
