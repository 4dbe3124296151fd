import type { TransactionState } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { Injectable } from '@nestjs/common'
import { DealQueries } from '../deals/deal-queries.js'
import { DealsService, type Party } from '../deals/deals.service.js'
import { PaymentsRepository } from './payments.repository.js'
import { PaymentsService } from './payments.service.js'

/** Commands that touch a deal and its payment: the deal knows no provider, so this is where both meet. */
@Injectable()
export class DealPaymentsService {
  constructor(
    private readonly commands: DealsService,
    private readonly payments: PaymentsService,
    private readonly settled: PaymentsRepository,
    private readonly queries: DealQueries,
  ) {}

  cancel(id: number, party: Party): Promise<TransactionState> {
    return this.payments.cancelDeal(id, party)
  }

  /** The seller gives the whole payment back. */
  async refund(id: number, party: Party): Promise<TransactionState> {
    await this.queries.getVisible(id, party.userId)
    const payment = await this.settled.findSettled(id)
    return this.commands.refund(id, party, payment?.id ?? null)
  }

  /**
   * Moves a deal by the name of a status, for clients that speak so.
   *
   * @throws DomainError `ESCROW_WRONG_STATE` for a status that nobody sets by hand
   */
  async moveTo(id: number, party: Party, status: DealStatus): Promise<TransactionState> {
    switch (status) {
      case 'in_progress':
        return this.commands.startHandover(id, party)
      case 'inspection':
        return this.commands.confirmDelivery(id, party)
      case 'completed':
        return this.commands.accept(id, party)
      case 'cancelled':
        return this.cancel(id, party)
      default: {
        const deal = await this.queries.getVisible(id, party.userId)
        throw new DomainError('ESCROW_WRONG_STATE', { from: deal.status, to: status, allowed: [] })
      }
    }
  }
}
