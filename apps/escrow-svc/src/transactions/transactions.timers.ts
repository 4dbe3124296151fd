import { Timers } from '@holdfast/timers/timers'
import { Injectable, type OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, LessThanOrEqual } from 'typeorm'
import { PaymentsRepository } from '../payments/payments.repository.js'
import { PaymentsService } from '../payments/payments.service.js'
import { DEADLINES } from './deadlines.js'
import { TransactionEntity } from './transaction.entity.js'
import { TransactionsService } from './transactions.service.js'

/** The clocks of deals. The row's `due_at` is the deadline; whatever wakes us, the row is asked again. */
@Injectable()
export class TransactionsTimers implements OnModuleInit {
  constructor(
    private readonly timers: Timers,
    private readonly commands: TransactionsService,
    private readonly payments: PaymentsService,
    private readonly settled: PaymentsRepository,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  onModuleInit(): void {
    this.timers.add({
      name: DEADLINES,
      upcoming: (before, limit) => this.upcoming(before, limit),
      fire: id => this.fire(Number(id)),
    })
  }

  /** Does what a deal's clock says, if it says anything now. */
  async fire(id: number): Promise<void> {
    const due = await this.commands.dueCommandOf(id)
    // Before a window ends the provider is asked: money that is there, or on its way, is never turned away by a clock.
    if (due === 'endPaymentWindow' && (await this.payments.closeOpenPayment(id)) !== 'closed') return
    await this.commands.letTimePass(id, async () => (await this.settled.getSettled(id)).id)
  }

  private async upcoming(before: Date, limit: number): Promise<{ id: string; dueAt: Date }[]> {
    const rows = await this.dataSource.getRepository(TransactionEntity).find({
      select: { id: true, dueAt: true },
      where: { dueAt: LessThanOrEqual(before) },
      order: { dueAt: 'ASC' },
      take: limit,
    })
    return rows.map(row => ({ id: String(row.id), dueAt: row.dueAt as Date }))
  }
}
