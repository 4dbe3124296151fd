import type { Deadline } from '@holdfast/timers/deadline'
import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, LessThanOrEqual } from 'typeorm'
import { DEADLINES } from './deals/deadlines.js'
import { DealEntity } from './deals/deal.entity.js'
import { DealsService } from './deals/deals.service.js'
import { PaymentsRepository } from './payments/payments.repository.js'
import { PaymentsService } from './payments/payments.service.js'
import { ProviderFeesService } from './payments/provider-fees.service.js'
import { RefundsService } from './payments/refunds.service.js'
import { ParcelsService } from './tracking/parcels.service.js'

/** Everything here that waits for a time. The rows' due times are the truth; whatever wakes us, the row is asked again. */
@Injectable()
export class EscrowTimers implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly commands: DealsService,
    private readonly payments: PaymentsService,
    private readonly settled: PaymentsRepository,
    private readonly refunds: RefundsService,
    private readonly fees: ProviderFeesService,
    private readonly parcels: ParcelsService,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    const { timers, refunds, fees, parcels } = this
    timers.add({ name: DEADLINES, upcoming: (...page) => this.dueDeals(...page), fire: id => this.pass(Number(id)) })
    timers.add({ name: 'refund', upcoming: (...page) => refunds.due(...page), fire: id => refunds.send(id) })
    timers.add({
      name: 'provider-fee',
      // Nobody waits for it, and a busy hour has better use for the processors and for the provider's rate limit.
      atOnce: 1,
      upcoming: (...page) => fees.due(...page),
      fire: id => fees.record(id),
    })
    timers.add({ name: 'parcel', upcoming: (...page) => parcels.due(...page), fire: id => parcels.poll(Number(id)) })
  }

  /** Does what a deal's clock says, if it says anything now. */
  async pass(id: number): Promise<void> {
    const due = await this.commands.dueCommandOf(id)
    if (!due) return
    // Before a window ends the provider is asked: money that is there, or on its way, is never turned away by a clock.
    if (due === 'endPaymentWindow' && (await this.payments.closeOpenPayment(id)) !== 'closed') return
    await this.commands.letTimePass(id, (await this.settled.findSettled(id))?.id ?? null)
    if (due === 'endPaymentWindow') await this.payments.closeLeftOver(id)
  }

  private async dueDeals(before: Date, limit: number): Promise<Deadline[]> {
    const rows = await this.dataSource.getRepository(DealEntity).find({
      select: { id: true, dueAt: true },
      where: { dueAt: LessThanOrEqual(before) },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: String(row.id), dueAt: row.dueAt as Date }))
  }
}
