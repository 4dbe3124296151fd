import type { PayloadOf, transactionDisputed, transactionDisputeEnded } from '@holdfast/contracts/events'
import type { DisputeCause, DisputeEndCause } from '@holdfast/kernel/deals'
import type { DisputeReason } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { hashInput } from '@holdfast/service-kit/idempotency/idempotency'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { counter } from '@holdfast/service-kit/telemetry/metrics'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { BankDecisionsRepository } from '../cases/bank-decisions.repository.js'
import { lockBankOf } from '../cases/bank-wait.js'
import type { DisputeEntity } from '../cases/dispute.entity.js'
import { type DisputeView, toView } from '../cases/dispute-view.js'
import { EscrowClient } from '../cases/escrow.client.js'
import { SettlementsService } from '../cases/settlements.service.js'
import { DisputesRepository } from './disputes.repository.js'

/** What is known of a deal that escrow has frozen. */
type FrozenDeal = Pick<PayloadOf<typeof transactionDisputed>, 'transactionId' | 'buyerId' | 'sellerId'>

const unknownFreezes = counter(
  'dispute_unknown_freezes_total',
  'Deals that escrow-svc says are frozen by a dispute that does not exist',
  [],
)

const WITHDRAWN = 'Withdrawn by the party that filed it.'
const NOT_FILED = 'It could not be filed. The transaction went on.'
/** The resolutions of a dispute that the system filed, by what ended it. */
const ENDED: Readonly<Record<DisputeEndCause, string>> = {
  recordDelivery: 'The carrier reported that the item was delivered.',
  confirmDelivery: 'The buyer confirmed that the item arrived.',
  refund: 'The seller refunded the buyer in full.',
  forceRefund: 'Holdfast refunded the buyer in full.',
}
/**
 * The dispute that the system files for each cause of a freeze; null where a party has filed it. The descriptions are still read after
 * the dispute has ended, so they say only what happened.
 */
const SYSTEM_DISPUTES = {
  filed: null,
  receive_by: {
    reason: 'item_not_received',
    description: 'The item did not arrive in time, so the system filed this dispute.',
  },
  chargeback: {
    reason: 'chargeback',
    description: 'The buyer’s bank disputed the payment, so the system filed this dispute.',
  },
  provider_refund: {
    reason: 'provider_refund',
    description: 'A part of the payment was refunded, so the system filed this dispute.',
  },
} as const satisfies Record<DisputeCause, { reason: DisputeReason; description: string } | null>

/** Files, withdraws and reads disputes. Each change is committed before escrow is called. */
@Injectable()
export class DisputesService {
  private readonly log = loggerOf('disputes')

  constructor(
    private readonly disputes: DisputesRepository,
    private readonly escrow: EscrowClient,
    private readonly settlements: SettlementsService,
    private readonly banks: BankDecisionsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Files a dispute. When the promise resolves, the deal is frozen and its money cannot be released.
   *
   * @param key the client's idempotency key. A repeated request gets the dispute of the first one, as it is now
   * @throws DomainError as `DisputesRepository.fileOnce`; escrow's refusal; `UNAVAILABLE` when the outcome is unknown: then the
   * filing is kept, and the freeze is repeated until escrow answers
   */
  async file(
    reporterId: string,
    input: { transactionId: number; reason: DisputeReason; description: string },
    key: string | null = null,
  ): Promise<DisputeView> {
    const { transactionId, reason, description } = input
    const filed = { transactionId, reason, description }
    const dispute = await this.disputes.fileOnce(
      { ...filed, reporterId },
      key === null ? null : { userId: reporterId, route: 'file', key, inputHash: hashInput(filed) },
      this.clock.now(),
    )
    return toView(isOpened(dispute) ? dispute : await this.freeze(dispute, reporterId))
  }

  /**
   * Handles the event that escrow has frozen a deal. If the system files the dispute, it is opened here. If a party filed it
   * and it has been closed since, a late call has frozen the deal, so the deal is resumed.
   */
  async followFrozen(deal: PayloadOf<typeof transactionDisputed>, manager: EntityManager): Promise<void> {
    await this.openBySystem(deal, manager)
    if (deal.disputeId !== null) await this.resumeIfClosed(deal.disputeId, deal, manager)
  }

  /** Opens the dispute of a deal that escrow has frozen itself. */
  private async openBySystem(deal: PayloadOf<typeof transactionDisputed>, manager: EntityManager): Promise<void> {
    const filed = SYSTEM_DISPUTES[deal.cause]
    if (!filed) return
    const at = new Date(deal.at)
    const open = async () => {
      await this.disputes.closeResumed(manager, deal.transactionId, WITHDRAWN, at)
      await this.disputes.insertOpened(manager, { ...deal, ...filed }, at)
    }
    if (deal.cause === 'chargeback') await this.banks.follow(manager, { ...deal, at }, open)
    else {
      await lockBankOf(manager, deal.transactionId)
      await open()
    }
  }

  /** Closes the dispute that the system filed on a deal. Escrow has ended it: the item arrived, or the seller refunded it. */
  async closeBySystem(deal: PayloadOf<typeof transactionDisputeEnded>, manager: EntityManager): Promise<void> {
    const { transactionId, cause, at } = deal
    await this.disputes.closeOpened(manager, { transactionId, of: 'system', resolution: ENDED[cause] }, new Date(at))
  }

  /** Resumes a deal that a closed dispute freezes. If no such dispute exists, it counts and logs that for the operator. */
  private async resumeIfClosed(id: number, deal: FrozenDeal, manager?: EntityManager): Promise<void> {
    const known = await this.disputes.resumeClosed(id, deal, { resolution: NOT_FILED, now: this.clock.now() }, manager)
    if (known) return
    unknownFreezes.inc()
    this.log.error(
      { disputeId: id, transactionId: deal.transactionId },
      'a deal is frozen by a dispute that does not exist: an operator must act (docs/runbooks/disputes.md)',
    )
  }

  /**
   * Withdraws a dispute for the party that filed it. When the promise resolves, the deal goes on.
   *
   * @param key the client's idempotency key. A repeated request gets the dispute as it is now
   * @throws DomainError `NOT_FOUND`, `FORBIDDEN` for the other party, `CONFLICT` when it is not open,
   * `IDEMPOTENCY_KEY_REUSED`; escrow's refusal: then the dispute is open as before; `UNAVAILABLE` when the outcome is unknown:
   * then the call is repeated
   */
  async withdraw(id: number, userId: string, key: string | null = null): Promise<DisputeView> {
    const { reporterId } = await this.getOf(id, userId)
    if (reporterId !== userId) throw new DomainError('FORBIDDEN')
    const dispute = await this.disputes.withdrawOnce(
      id,
      key === null ? null : { userId, route: 'withdraw', key, inputHash: hashInput({ id }) },
      this.clock.now(),
    )
    return toView(dispute.step === 'resuming' ? await this.resume(dispute) : dispute)
  }

  /** Repeats a call to escrow whose outcome is unknown, or asks what was sold, when that is due. */
  async retry(id: number): Promise<void> {
    const dispute = await this.disputes.findDue(id)
    if (!dispute) return
    await this.disputes.postpone(id)
    if (dispute.step === 'freezing' && dispute.reporterId) await this.freeze(dispute, dispute.reporterId)
    if (dispute.step === 'resuming') await this.resume(dispute)
    if (dispute.step === 'settling') await this.settlements.post(dispute)
    if (dispute.step === 'settled' && dispute.priceMinor === null) await this.learnWhatWasSold(dispute)
  }

  /** A dispute of an older release does not know its price. Escrow answers it to a repeated freeze, which changes nothing. */
  private async learnWhatWasSold({ id, transactionId, reporterId }: DisputeEntity): Promise<void> {
    if (reporterId === null) return this.disputes.stopAsking(id)
    try {
      const deal = await this.escrow.freeze(transactionId, id, reporterId)
      await this.disputes.recordSold(id, deal, this.clock.now())
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      this.log.warn(
        { err: error, disputeId: id },
        'escrow-svc does not say what a dispute of an older release is about',
      )
      await this.disputes.stopAsking(id)
    }
  }

  private async freeze(dispute: DisputeEntity, reporterId: string): Promise<DisputeEntity> {
    try {
      const parties = await this.escrow.freeze(dispute.transactionId, dispute.id, reporterId)
      return await this.disputes.markOpened(dispute.id, parties, this.clock.now())
    } catch (error) {
      if (!(error instanceof DomainError)) throw this.unknown(error, dispute.id)
      await this.disputes.markRefused(dispute.id, this.clock.now())
      const current = await this.disputes.find(dispute.id)
      // A repetition of this call may have frozen the deal before. Then the filing has succeeded, whatever this call got.
      if (current && isOpened(current)) return current
      throw error
    }
  }

  private async resume(dispute: DisputeEntity): Promise<DisputeEntity> {
    // The dispute is not closed when its party withdraws it. If it is closed, dispute-svc itself resumes the deal.
    const withdrawnBy = dispute.status === 'closed' ? null : dispute.reporterId
    const { id, transactionId } = dispute
    try {
      if (withdrawnBy === null) await this.escrow.resume(transactionId, id)
      else
        await this.escrow.atVersion(transactionId, dealVersion =>
          this.escrow.resume(transactionId, id, { withdrawnBy, dealVersion }),
        )
    } catch (error) {
      if (!(error instanceof DomainError)) throw this.unknown(error, dispute.id)
      const other = otherFreezing(error, dispute.id)
      if (other === undefined) {
        // The deal stays frozen, so an open dispute stays open. Its reporter gets the refusal and may try again.
        await this.disputes.keepOpen(dispute.id, this.clock.now())
        throw error
      }
      if (other !== null && isOpened(dispute)) await this.resumeIfClosed(other, dispute)
    }
    return this.disputes.markWithdrawn(dispute.id, WITHDRAWN, this.clock.now())
  }

  /** The error for the caller when it is unknown whether escrow has carried out a call. */
  private unknown(error: unknown, disputeId: number): DomainError {
    this.log.warn({ err: error, disputeId }, 'the outcome at escrow-svc is unknown; the call is repeated')
    return new DomainError('UNAVAILABLE')
  }

  private async getOf(id: number, userId: string): Promise<DisputeEntity> {
    const dispute = await this.disputes.find(id)
    if (!dispute || (dispute.buyerId !== userId && dispute.sellerId !== userId)) throw new DomainError('NOT_FOUND')
    return dispute
  }
}

/**
 * The other dispute by which the deal is stopped now, from escrow's refusal to resume it: its id, or null when it has none.
 * In both cases this dispute no longer freezes the deal. Undefined when escrow refuses for another reason.
 */
function otherFreezing({ code, details }: DomainError, id: number): number | null | undefined {
  if (code === 'ESCROW_WRONG_STATE') return null
  const other = code === 'CONFLICT' ? details?.disputeId : undefined
  return (typeof other === 'number' && other !== id) || other === null ? other : undefined
}

/** Whether a dispute was ever open. Its parties are known only then. */
const isOpened = (dispute: DisputeEntity): dispute is DisputeEntity & { buyerId: string; sellerId: string } =>
  dispute.buyerId !== null && dispute.sellerId !== null
