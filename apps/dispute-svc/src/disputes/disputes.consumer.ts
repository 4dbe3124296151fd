import { type PayloadOf, transactionDisputed } from '@holdfast/contracts/events'
import { type EventContext, OnEvent } from '@holdfast/events/event-context'
import { once } from '@holdfast/events/inbox'
import { Controller } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import { DisputesRepository } from './disputes.repository.js'

/** What the escrow tells us. */
@Controller()
export class DisputesConsumer {
  constructor(
    private readonly disputes: DisputesRepository,
    @InjectDataSource() private readonly dataSource: DataSource,
  ) {}

  /** A delivery that never came: the escrow stopped the deal by itself, and a mediator must look at it. */
  @OnEvent(transactionDisputed)
  async openBySystem(deal: PayloadOf<typeof transactionDisputed>, { event }: EventContext): Promise<void> {
    if (deal.cause !== 'receive_by') return
    const { transactionId, buyerId, sellerId } = deal
    await once(this.dataSource, 'disputes', event, manager =>
      this.disputes.insertOpened(
        manager,
        {
          transactionId,
          reporterId: null,
          reason: 'item_not_received',
          description: 'The item did not arrive in time. The system filed this dispute; the money stays held.',
          parties: { buyerId, sellerId },
        },
        new Date(deal.at),
      ),
    )
  }
}
