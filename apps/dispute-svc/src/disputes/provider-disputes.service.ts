import type {
  DealFacts,
  PayloadOf,
  transactionCancelled,
  transactionChargebackClosed,
  transactionRefundFailed,
} from '@holdfast/contracts/events'
import type { CancelCause } from '@holdfast/kernel/deals'
import type { DisputeReason } from '@holdfast/kernel/disputes'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { DisputesRepository } from './disputes.repository.js'

/** The resolutions of the system's disputes about what the provider did, by their reason, when the deal goes on. */
const ENDED_BY_PROVIDER: Readonly<Partial<Record<DisputeReason, string>>> = {
  chargeback: 'The buyer’s bank has decided that the payment stands.',
  provider_refund: 'The refund failed. The money is held again.',
}
/** The resolutions of a dispute whose deal was cancelled. A deal that was not paid has no dispute. */
const CANCELLED: Readonly<Record<CancelCause, string>> = {
  cancel: 'The transaction was cancelled.',
  endPaymentWindow: 'The transaction was cancelled.',
  endShipBy: 'The item was not shipped in time. The buyer was refunded.',
  refund: 'The seller refunded the buyer.',
  chargeback: 'The buyer’s bank has given the payment back to the buyer.',
  provider_refund: 'The payment was refunded to the buyer.',
}

/** Closes the disputes of deals that were cancelled, or that go on because the payment provider no longer stops them. */
@Injectable()
export class ProviderDisputesService {
  constructor(private readonly disputes: DisputesRepository) {}

  /** Closes the dispute about what the provider did when the bank has decided and the deal goes on. */
  followChargeback(deal: PayloadOf<typeof transactionChargebackClosed>, manager: EntityManager): Promise<void> {
    return this.closeIfGoesOn(deal, manager)
  }

  /** Closes the dispute about what the provider did when a refund made there has failed and the deal goes on. */
  followFailedRefund(deal: PayloadOf<typeof transactionRefundFailed>, manager: EntityManager): Promise<void> {
    return this.closeIfGoesOn(deal, manager)
  }

  /** Closes every dispute of a cancelled deal: no money is held any more. */
  async followCancelled(deal: PayloadOf<typeof transactionCancelled>, manager: EntityManager): Promise<void> {
    const { transactionId, wasFunded, cause, at } = deal
    if (!wasFunded) return
    const ended = { transactionId, of: 'anyone', resolution: CANCELLED[cause] } as const
    await this.disputes.closeOpened(manager, ended, new Date(at))
  }

  /**
   * The provider can stop a deal for two reasons at a time, a chargeback and a refund made there. The dispute has the first
   * one, and the deal goes on when both have ended. So the last one to end closes the dispute, whatever its reason is.
   */
  private async closeIfGoesOn(
    { transactionId, status, at }: Pick<DealFacts, 'transactionId' | 'status' | 'at'>,
    manager: EntityManager,
  ): Promise<void> {
    if (status === 'disputed' || status === 'cancelled') return
    for (const [reason, resolution] of Object.entries(ENDED_BY_PROVIDER)) {
      const ended = { transactionId, of: 'system', reason: reason as DisputeReason, resolution } as const
      await this.disputes.closeOpened(manager, ended, new Date(at))
    }
  }
}
