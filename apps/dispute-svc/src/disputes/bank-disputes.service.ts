import type { PayloadOf, transactionChargebackClosed } from '@holdfast/contracts/events'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { DisputesRepository } from './disputes.repository.js'

const RESOLUTIONS = {
  won: 'The buyer’s bank has decided that the payment stands.',
  lost: 'The buyer’s bank has given the payment back to the buyer.',
} as const

/** Follows what the buyers' banks decide. Escrow has resumed or ended the deal itself by then. */
@Injectable()
export class BankDisputesService {
  constructor(private readonly disputes: DisputesRepository) {}

  /** Closes the dispute of the bank once the deal goes on, and every dispute once the bank's decision has ended the deal. */
  async decided(deal: PayloadOf<typeof transactionChargebackClosed>, manager: EntityManager): Promise<void> {
    if (deal.status === 'disputed') return
    const reason = deal.status === 'cancelled' ? null : 'chargeback'
    const resolution = RESOLUTIONS[deal.outcome]
    await this.disputes.closeOpened(
      manager,
      { transactionId: deal.transactionId, reason, resolution },
      new Date(deal.at),
    )
  }
}
