import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Health } from '@holdfast/service-kit/lifecycle/health'
import { Heartbeat, type Outage } from '@holdfast/service-kit/outages/heartbeat'
import { OutageWatch } from '@holdfast/service-kit/outages/outage-watch'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Inject, Injectable } from '@nestjs/common'
import type { DisputeConfig } from '../config.js'
import { DisputeClocks, type DisputeInOutage } from './dispute-clocks.js'

/** How many disputes are extended at the same time. Each needs a connection, and requests need some as well. */
const DISPUTES_AT_ONCE = 4

const extended = counter('dispute_clocks_extended_total', 'Time limits that were extended because no replica could act')

/** Gives the time of an outage back to the parties and mediators of disputes whose time limits ran. */
@Injectable()
export class OutagesService extends OutageWatch<DisputeInOutage> {
  constructor(
    heartbeat: Heartbeat,
    private readonly clocks: DisputeClocks,
    health: Health,
    @Inject(CONFIG) { DAY_SECONDS: daySeconds }: DisputeConfig,
  ) {
    super({ heartbeat, health, daySeconds, atOnce: DISPUTES_AT_ONCE, extended })
  }

  protected find(outage: Outage, afterId: number, limit: number): Promise<DisputeInOutage[]> {
    return this.clocks.disputesIn(outage, afterId, limit)
  }

  protected extend({ id }: DisputeInOutage, outage: Outage): Promise<number> {
    return this.clocks.extend(id, outage)
  }
}
