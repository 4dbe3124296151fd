import type { Dispute } from '@holdfast/contracts/disputes'
import type { PayloadOf, transactionDisputed } from '@holdfast/contracts/events'
import type { DisputeCause } from '@holdfast/kernel/deals'
import type { DisputeReason } from '@holdfast/kernel/disputes'
import { DomainError } from '@holdfast/kernel/errors'
import { MAX_PAGE_SIZE } from '@holdfast/kernel/requests'
import { Clock } from '@holdfast/service-kit/lifecycle/clock'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import type { z } from 'zod'
import type { DisputeEntity } from './dispute.entity.js'
import { DisputesRepository } from './disputes.repository.js'
import { EscrowClient } from './escrow.client.js'

type DisputeView = z.input<typeof Dispute>

/** A call to escrow with an unknown outcome is repeated after this time. Escrow recognises it by the dispute's id. */
const RETRY_MS = 10_000
const WITHDRAWN = 'Withdrawn by the party that filed it.'
/** The disputes that the system files, by the cause for which escrow has frozen the deal; null when a party files it. */
const SYSTEM_DISPUTES = {
  filed: null,
  receive_by: {
    reason: 'item_not_received',
    description: 'The item did not arrive in time. The system filed this dispute; the money stays held.',
  },
  chargeback: {
    reason: 'chargeback',
    description: 'The buyer’s bank disputes the payment. The system filed this dispute; the money stays held.',
  },
  provider_refund: {
    reason: 'provider_refund',
    description: 'A part of the payment was refunded. The system filed this dispute; the rest of the money stays held.',
  },
} as const satisfies Record<DisputeCause, { reason: DisputeReason; description: string } | null>

/** Files, withdraws and reads disputes. Each change is committed before escrow is called. */
@Injectable()
export class DisputesService {
  private readonly log = loggerOf('disputes')

  constructor(
    private readonly disputes: DisputesRepository,
    private readonly escrow: EscrowClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Files a dispute. When the promise resolves, the deal is frozen and its money cannot be released.
   *
   * @throws DomainError `DISPUTE_EXISTS`; escrow's refusal; `UNAVAILABLE` when the outcome is unknown: then the filing is kept,
   * and the freeze is repeated until escrow answers
   */
  async file(
    reporterId: string,
    input: { transactionId: number; reason: DisputeReason; description: string },
  ): Promise<DisputeView> {
    const now = this.clock.now()
    const { transactionId, reason, description } = input
    const filed = { transactionId, reason, description, reporterId }
    const dispute = await this.disputes.insertFreezing(filed, now, this.retryAt(now))
    return toView(await this.freeze(dispute, reporterId))
  }

  /** Opens the dispute of a deal that escrow has frozen itself: the item did not arrive, or a bank disputes the payment. */
  async openBySystem(deal: PayloadOf<typeof transactionDisputed>, manager: EntityManager): Promise<void> {
    const filed = SYSTEM_DISPUTES[deal.cause]
    if (!filed) return
    const { transactionId, buyerId, sellerId } = deal
    await this.disputes.insertOpened(manager, { transactionId, buyerId, sellerId, ...filed }, new Date(deal.at))
  }

  /**
   * Withdraws a dispute for the party that filed it. When the promise resolves, the deal goes on.
   *
   * @throws DomainError `NOT_FOUND`, `FORBIDDEN` for the other party, `CONFLICT` when it is not open; escrow's refusal: then the
   * dispute is open as before; `UNAVAILABLE` when the outcome is unknown: then the call is repeated
   */
  async withdraw(id: number, userId: string): Promise<DisputeView> {
    const dispute = await this.getOf(id, userId)
    if (dispute.reporterId !== userId) throw new DomainError('FORBIDDEN')
    const now = this.clock.now()
    if (!(await this.disputes.markResuming(id, now, this.retryAt(now)))) throw new DomainError('CONFLICT')
    return toView(await this.resume(dispute))
  }

  async get(id: number, userId: string): Promise<DisputeView> {
    return toView(await this.getOf(id, userId))
  }

  /** @throws DomainError `NOT_FOUND` for the id of another user */
  async list(userId: string, viewerId: string): Promise<DisputeView[]> {
    if (userId !== viewerId) throw new DomainError('NOT_FOUND')
    return (await this.disputes.listOf(userId, MAX_PAGE_SIZE)).map(toView)
  }

  /** Repeats a call to escrow whose outcome is unknown, when it is due. */
  async retry(id: number): Promise<void> {
    const dispute = await this.disputes.find(id)
    const now = this.clock.now()
    if (!dispute?.retryAt || dispute.retryAt > now) return
    await this.disputes.postpone(id, this.retryAt(now))
    if (dispute.step === 'freezing' && dispute.reporterId) await this.freeze(dispute, dispute.reporterId)
    if (dispute.step === 'resuming') await this.resume(dispute)
  }

  private async freeze(dispute: DisputeEntity, reporterId: string): Promise<DisputeEntity> {
    try {
      const parties = await this.escrow.freeze(dispute.transactionId, dispute.id, reporterId)
      return await this.disputes.markOpened(dispute.id, parties, this.clock.now())
    } catch (error) {
      if (error instanceof DomainError) await this.disputes.discard(dispute.id)
      throw this.asRefusal(error, dispute.id)
    }
  }

  private async resume(dispute: DisputeEntity): Promise<DisputeEntity> {
    try {
      await this.escrow.resume(dispute.transactionId, dispute.id, dispute.reporterId ?? undefined).catch(error => {
        if (!isFrozenForAnother(error, dispute.id)) throw error
      })
      return await this.disputes.markWithdrawn(dispute.id, WITHDRAWN, this.clock.now())
    } catch (error) {
      // The deal stays frozen, so the dispute stays open. The party that wanted to withdraw it gets the refusal and may retry.
      if (error instanceof DomainError) await this.disputes.keepOpen(dispute.id, this.clock.now())
      throw this.asRefusal(error, dispute.id)
    }
  }

  private asRefusal(error: unknown, disputeId: number): DomainError {
    if (error instanceof DomainError) return error
    this.log.warn({ err: error, disputeId }, 'the outcome at escrow-svc is unknown; the call is repeated')
    return new DomainError('UNAVAILABLE')
  }

  private async getOf(id: number, userId: string): Promise<DisputeEntity> {
    const dispute = await this.disputes.find(id)
    if (!dispute || (dispute.buyerId !== userId && dispute.sellerId !== userId)) throw new DomainError('NOT_FOUND')
    return dispute
  }

  private readonly retryAt = (now: Date) => new Date(now.getTime() + RETRY_MS)
}

/** Whether escrow refuses because another dispute froze the deal. Then the deal had already resumed after this one. */
const isFrozenForAnother = (error: unknown, id: number): boolean =>
  error instanceof DomainError &&
  error.code === 'CONFLICT' &&
  typeof error.details?.disputeId === 'number' &&
  error.details.disputeId !== id

function toView(dispute: DisputeEntity): DisputeView {
  const { id, transactionId, buyerId, sellerId, reporterId, reason, description, status, adminNotes, resolution } =
    dispute
  if (!buyerId || !sellerId) throw new Error(`dispute ${id} has no parties`)
  const createdAt = dispute.createdAt.toISOString()
  return {
    id,
    transactionId,
    buyerId,
    sellerId,
    reporterId,
    reason,
    description,
    status,
    adminNotes,
    resolution,
    createdAt,
  }
}
