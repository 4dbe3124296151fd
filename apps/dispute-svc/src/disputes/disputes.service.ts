import type { Dispute } from '@holdfast/contracts/disputes'
import type { PayloadOf, transactionDisputed } from '@holdfast/contracts/events'
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

/** A step whose outcome is unknown is repeated after this: both sides know a repeat by the dispute's id. */
const RETRY_MS = 10_000
const WITHDRAWN = 'Withdrawn by the party that filed it.'
const NEVER_ARRIVED = {
  reason: 'item_not_received',
  description: 'The item did not arrive in time. The system filed this dispute; the money stays held.',
} as const

/** Filing, withdrawing and showing disputes. What is decided here is committed before the escrow is asked. */
@Injectable()
export class DisputesService {
  private readonly log = loggerOf('disputes')

  constructor(
    private readonly disputes: DisputesRepository,
    private readonly escrow: EscrowClient,
    private readonly clock: Clock,
  ) {}

  /**
   * Files a dispute: when it returns, the deal is frozen and its money cannot leave.
   *
   * @throws DomainError `DISPUTE_EXISTS`, what the escrow refuses with, or `UNAVAILABLE` when it could not tell: then the
   * dispute stands, and the freeze is repeated until it is known
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

  /** Opens the dispute of a delivery that never came: the escrow stopped the deal by itself, and a mediator decides. */
  async openBySystem(deal: PayloadOf<typeof transactionDisputed>, manager: EntityManager): Promise<void> {
    if (deal.cause !== 'receive_by') return
    const { transactionId, buyerId, sellerId } = deal
    await this.disputes.insertOpened(manager, { transactionId, buyerId, sellerId, ...NEVER_ARRIVED }, new Date(deal.at))
  }

  /**
   * @throws DomainError `NOT_FOUND`, `FORBIDDEN` for the other party, `CONFLICT` when it is not open; what the escrow refuses
   * with: then it is open as before; or `UNAVAILABLE` when it could not tell: then it is asked again
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

  /** @throws DomainError `NOT_FOUND` for anybody else's id */
  async list(userId: string, viewerId: string): Promise<DisputeView[]> {
    if (userId !== viewerId) throw new DomainError('NOT_FOUND')
    return (await this.disputes.listOf(userId, MAX_PAGE_SIZE)).map(toView)
  }

  /** Repeats a step whose outcome is not known. */
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
      // The deal stays frozen, and so the dispute stands: whoever withdrew it is told, and may try again.
      if (error instanceof DomainError) await this.disputes.keepOpen(dispute.id, this.clock.now())
      throw this.asRefusal(error, dispute.id)
    }
  }

  private asRefusal(error: unknown, disputeId: number): DomainError {
    if (error instanceof DomainError) return error
    this.log.warn({ err: error, disputeId }, 'the escrow could not tell; it is asked again')
    return new DomainError('UNAVAILABLE')
  }

  private async getOf(id: number, userId: string): Promise<DisputeEntity> {
    const dispute = await this.disputes.find(id)
    if (!dispute || (dispute.buyerId !== userId && dispute.sellerId !== userId)) throw new DomainError('NOT_FOUND')
    return dispute
  }

  private readonly retryAt = (now: Date) => new Date(now.getTime() + RETRY_MS)
}

/** The deal went on after this dispute, unheard, and has been stopped for another one since. */
const isFrozenForAnother = (error: unknown, id: number): boolean =>
  error instanceof DomainError &&
  error.code === 'CONFLICT' &&
  typeof error.details?.disputeId === 'number' &&
  error.details.disputeId !== id

function toView(dispute: DisputeEntity): DisputeView {
  const { id, transactionId, buyerId, sellerId, reporterId, reason, description, status, adminNotes, resolution } =
    dispute
  if (!buyerId || !sellerId) throw new Error(`dispute ${id} is shown without its parties`)
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
