import { TRACKING_POLL_MS } from '@holdfast/kernel/tracking'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Timers } from '@holdfast/timers/timers'
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common'
import type { DisputeConfig } from '../config.js'
import { CasesRepository } from './cases.repository.js'
import { decide } from './domain/decisions.js'
import { mayTake } from './domain/life.js'
import { EscrowClient } from './escrow.client.js'
import { ReturnsRepository } from './returns.repository.js'

const DAY_MS = 86_400_000
/** A shortened day must not make the carrier be asked all the time. */
const MIN_POLL_MS = 2_000

/** Asks the carrier about items on their way back. A delivery starts the time in which the seller may contest what came back. */
@Injectable()
export class ReturnsTimer implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly returns: ReturnsRepository,
    private readonly cases: CasesRepository,
    private readonly escrow: EscrowClient,
    @Inject(CONFIG) private readonly config: DisputeConfig,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: 'returned-parcel',
      atOnce: 2,
      upcoming: (aheadMs, limit) => this.returns.listDue(aheadMs, limit),
      fire: id => this.fire(Number(id)),
    })
  }

  /** Asks about one return, if it is due. @throws Error when the carrier cannot be asked: it is asked again later */
  async fire(id: number): Promise<void> {
    const parcel = await this.returns.take(id, this.pollMs)
    if (!parcel) return
    const deliveredAt = await this.escrow.deliveryOf(parcel)
    if (!deliveredAt || deliveredAt < parcel.shippedAt || (await this.returns.isOfAnother(id))) return
    await this.cases.change(id, (dispute, given) => {
      // The buyer may have corrected the number while the carrier was asked.
      if (dispute.returnNumber !== parcel.trackingNumber) return null
      if (!mayTake('recordReturnDelivery', 'carrier', dispute.stage)) return null
      const actor = { role: 'carrier', userId: null } as const
      return { actor, change: decide(dispute, { type: 'recordReturnDelivery' }, { ...given, ...actor }) }
    })
  }

  private get pollMs(): number {
    return Math.max(MIN_POLL_MS, (this.config.DAY_SECONDS * 1000 * TRACKING_POLL_MS) / DAY_MS)
  }
}
