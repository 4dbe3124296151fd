import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { PAYOUT_TIMER, PayoutSendingService } from './payout-sending.service.js'
import { PayoutsService } from './payouts.service.js'

/** The timers of payouts: the daily one of each seller, and the steps of each payout at the provider. */
@Injectable()
export class PayoutsTimers implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly payouts: PayoutsService,
    private readonly sending: PayoutSendingService,
  ) {}

  onModuleInit(): void {
    const { timers, payouts, sending } = this
    // No user waits for a payout to be sent. Few run at once, so that in a busy hour deals get the processors and the provider's limit.
    const atOnce = 2
    timers.add({
      name: 'daily-payout',
      atOnce,
      upcoming: (aheadMs, limit) => payouts.due(aheadMs, limit),
      fire: id => payouts.payOutDaily(id),
    })
    timers.add({
      name: PAYOUT_TIMER,
      atOnce,
      upcoming: (aheadMs, limit) => sending.due(aheadMs, limit),
      fire: id => sending.send(id),
    })
  }
}
