import type {
  DealFacts,
  PayloadOf,
  transactionCancelled,
  transactionChargebackClosed,
  transactionChargebackOpened,
} from '@holdfast/contracts/events'
import { type CancelCause, SETTLEMENT_CAUSES } from '@holdfast/kernel/deals'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { BankDecisionsRepository } from '../cases/bank-decisions.repository.js'
import { DisputesRepository, type ResolutionByReason } from './disputes.repository.js'

/** The resolutions of the system's disputes about what the provider did, by their reason, for a deal that goes on. */
const ENDED_BY_PROVIDER: ResolutionByReason = {
  chargeback: 'The buyer’s bank has decided that the payment stands. The transaction went on.',
  provider_refund: 'The refund failed, so the transaction went on.',
}
/** The resolutions of a dispute whose deal was cancelled. A deal that was not paid has no dispute. */
const CANCELLED: Readonly<Record<CancelCause, string>> = {
  cancel: 'The transaction was cancelled.',
  endPaymentWindow: 'The transaction was cancelled.',
  endShipBy: 'The item was not shipped in time. The buyer was refunded.',
  refund: 'The seller refunded the buyer.',
  chargeback: 'The buyer’s bank has given the payment back to the buyer.',
  provider_refund: 'The payment was refunded to the buyer.',
  forceRefund: 'Holdfast refunded the buyer in full.',
  settlement: 'The parties settled the dispute. The buyer was refunded.',
  ruling: 'A mediator has ruled. The buyer was refunded.',
  return: 'The item came back to the seller. The buyer was refunded.',
}

/**
 * Stops the time limits of disputes while the buyer's bank decides, and closes the disputes of deals that were cancelled, or that go on
 * because the payment provider no longer stops them.
 */
@Injectable()
export class ProviderDisputesService {
  constructor(
    private readonly disputes: DisputesRepository,
    private readonly banks: BankDecisionsRepository,
  ) {}

  /** Stops the time limits of the deal's dispute: the buyer's bank disputes the payment. */
  async followChargebackOpened(
    deal: PayloadOf<typeof transactionChargebackOpened>,
    manager: EntityManager,
  ): Promise<void> {
    await this.banks.follow(manager, { ...deal, at: new Date(deal.at) })
  }

  /** Follows a decision of the buyer's bank. The time limits of a dispute that stays open go on, unless the deal waits for a bank still. */
  async followChargebackClosed(
    deal: PayloadOf<typeof transactionChargebackClosed>,
    manager: EntityManager,
  ): Promise<void> {
    const news = { ...deal, at: new Date(deal.at), isCancelled: deal.status === 'cancelled' }
    await this.banks.follow(manager, news, () => this.followProvider(deal, manager))
  }

  /**
   * Closes the dispute about what the provider did when the deal goes on: the bank has decided, or a refund made at the provider
   * has failed.
   *
   * The provider can stop a deal for both reasons at the same time. The dispute has the reason that came first, and the deal goes
   * on when both have ended. So the event of the one that ends last closes the dispute, whichever reason the dispute has.
   */
  async followProvider(
    deal: Pick<DealFacts, 'transactionId' | 'status' | 'at'>,
    manager: EntityManager,
  ): Promise<void> {
    const { transactionId, status, at } = deal
    if (status === 'disputed' || status === 'cancelled') return
    const ended = { transactionId, of: 'system', resolution: ENDED_BY_PROVIDER } as const
    await this.disputes.closeOpened(manager, ended, new Date(at))
  }

  /** Closes every dispute of a cancelled deal: no money is held any more. */
  async followCancelled(deal: PayloadOf<typeof transactionCancelled>, manager: EntityManager): Promise<void> {
    const { transactionId, wasFunded, cause, at } = deal
    if (!wasFunded) return
    const isOurs = SETTLEMENT_CAUSES.some(each => each === cause)
    const ended = {
      transactionId,
      of: 'anyone',
      resolution: CANCELLED[cause],
      ...(isOurs && { alsoSettling: false as const }),
    } as const
    await this.disputes.closeOpened(manager, ended, new Date(at))
  }
}
