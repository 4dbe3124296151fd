import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { Heartbeat, type Outage } from '@holdfast/service-kit/outages/heartbeat'
import { OutageWatch } from '@holdfast/service-kit/outages/outage-watch'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Inject, Injectable } from '@nestjs/common'
import type { EscrowConfig } from '../config.js'
import { type DealInOutage, DealsService } from '../deals/deals.service.js'
import { DealClocks } from './deal-clocks.js'

/** How many deals are read and extended at the same time. They share the money path's statements. */
const DEALS_AT_ONCE = 256

const extended = counter('escrow_clocks_extended_total', 'Clocks that were extended because no replica could act')

/** Gives the time of an outage back to the deals whose clock ran. */
@Injectable()
export class OutagesService extends OutageWatch<DealInOutage> {
  constructor(
    heartbeat: Heartbeat,
    private readonly clocks: DealClocks,
    private readonly deals: DealsService,
    health: Health,
    @Inject(CONFIG) { DAY_SECONDS: daySeconds }: EscrowConfig,
  ) {
    super({ heartbeat, health, daySeconds, atOnce: DEALS_AT_ONCE, extended })
  }

  protected find(outage: Outage, afterId: number, limit: number): Promise<DealInOutage[]> {
    return this.clocks.dealsIn(outage, afterId, limit)
  }

  protected async extend(found: DealInOutage): Promise<number> {
    return (await this.deals.extendClock(found)) ? 1 : 0
  }
}
