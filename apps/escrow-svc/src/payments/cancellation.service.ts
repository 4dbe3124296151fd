import type { TransactionState } from '@holdfast/contracts/transactions'
import type { DealStatus } from '@holdfast/kernel/deals'
import { DomainError } from '@holdfast/kernel/errors'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { DealQueries } from '../deals/deal-queries.js'
import { DealsRepository } from '../deals/deals.repository.js'
import { DealsService, type Party } from '../deals/deals.service.js'
import { partyOf } from '../deals/domain/deal.js'
import { assertAllowed } from '../deals/domain/transitions.js'
import { PaymentsService } from './payments.service.js'

/**
 * Cancels unpaid deals. An open payment is cancelled at the provider first: if the buyer has paid in the meantime, the deal
 * becomes paid instead.
 */
@Injectable()
export class CancellationService {
  private readonly log = loggerOf('cancellation')

  constructor(
    private readonly repository: DealsRepository,
    private readonly deals: DealsService,
    private readonly queries: DealQueries,
    private readonly payments: PaymentsService,
  ) {}

  /**
   * Cancels a deal on behalf of a party.
   *
   * @throws DomainError `TRANSACTION_NOT_FOUND`, `ESCROW_WRONG_STATE`, `IDEMPOTENCY_KEY_REUSED`, `PAYMENT_IN_PROGRESS` while the
   * provider works on a payment, `PAYMENT_PROVIDER_UNAVAILABLE`
   */
  async cancel(id: number, party: Party): Promise<TransactionState> {
    const first = await this.deals.findAnswerToCancel(id, party)
    if (first) return first
    const deal = await this.repository.find(id)
    const role = deal && partyOf(deal, party.userId)
    if (!deal || !role) throw new DomainError('TRANSACTION_NOT_FOUND')
    if (deal.status === 'pending') {
      assertAllowed('cancel', role, deal.status)
      if ((await this.payments.closeOpenPayment(id)) === 'processing') throw new DomainError('PAYMENT_IN_PROGRESS')
    }
    const state = await this.deals.cancel(id, party)
    await this.closeLatePayment(id)
    return state
  }

  /** Cancels a deal whose payment window has ended, unless its payment has succeeded or is still being processed. */
  async endPaymentWindow(id: number): Promise<void> {
    if ((await this.deals.dueCommandOf(id)) !== 'endPaymentWindow') return
    if ((await this.payments.closeOpenPayment(id)) !== 'closed') return
    await this.deals.endPaymentWindow(id)
    await this.closeLatePayment(id)
  }

  /**
   * Gives the command that leads to a status, for clients of `PATCH /api/transactions/{id}`.
   *
   * @throws DomainError `ESCROW_WRONG_STATE` for a status to which no party's command leads, besides what the command throws
   */
  async moveTo(id: number, client: Party, status: DealStatus): Promise<TransactionState> {
    // A key belongs to the request: used again with another status it is refused.
    const party = { ...client, keyRoute: 'status' as const }
    switch (status) {
      case 'in_progress':
        return this.deals.startHandover(id, party)
      case 'inspection':
        return this.deals.confirmDelivery(id, party)
      case 'completed':
        return this.deals.accept(id, party)
      case 'cancelled':
        return this.cancel(id, party)
      default: {
        const deal = await this.queries.getVisible(id, party.userId)
        throw new DomainError('ESCROW_WRONG_STATE', { from: deal.status, to: status, allowed: [] })
      }
    }
  }

  /**
   * Closes a payment that was begun while its deal was being cancelled. A failure is only logged: the deal is cancelled
   * already, and money that arrives later is refunded as a stray payment.
   */
  private async closeLatePayment(id: number): Promise<void> {
    try {
      await this.payments.closeOpenPayment(id)
    } catch (error) {
      this.log.warn({ err: error, transactionId: id }, 'a payment of a cancelled deal could not be closed')
    }
  }
}
