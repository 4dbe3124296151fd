import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { CustomersService } from './customers.service.js'
import { SubscriptionFeesService } from './subscription-fees.service.js'
import { SubscriptionProgressService } from './subscription-progress.service.js'

/**
 * The timers of billing: the state of each subscription, the provider's fees, and the deletion of customers at the provider. No user waits
 * for them, so each runs one at a time.
 */
@Injectable()
export class BillingTimers implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly progress: SubscriptionProgressService,
    private readonly fees: SubscriptionFeesService,
    private readonly customers: CustomersService,
  ) {}

  onModuleInit(): void {
    const { timers, progress, fees, customers } = this
    timers.add({
      name: 'subscription',
      atOnce: 1,
      upcoming: (aheadMs, limit) => progress.due(aheadMs, limit),
      fire: id => progress.fire(id),
    })
    timers.add({
      name: 'subscription-fee',
      atOnce: 1,
      upcoming: (aheadMs, limit) => fees.due(aheadMs, limit),
      fire: id => fees.record(id),
    })
    timers.add({
      name: 'customer-deletion',
      atOnce: 1,
      upcoming: (aheadMs, limit) => customers.due(aheadMs, limit),
      fire: id => customers.delete(id),
    })
  }
}
