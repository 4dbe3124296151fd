import { DomainError, type ErrorCode } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import { loggerOf } from '@holdfast/service-kit/telemetry/logging'
import { Injectable } from '@nestjs/common'
import { CasesRepository } from './cases.repository.js'
import type { DisputeEntity } from './dispute.entity.js'
import { EscrowClient } from './escrow.client.js'

/** The refusals of escrow after which a settlement of the parties is taken back. After any other error the call is repeated. */
const TAKEN_BACK: readonly ErrorCode[] = [
  'AMOUNT_INVALID',
  'ESCROW_WRONG_STATE',
  'ESCROW_STOPPED_BY_PROVIDER',
  'CONFLICT',
]

/**
 * Posts what was decided at escrow-svc. The decision is committed before the call, and the call is repeated until escrow answers.
 * Escrow recognises a repeated call by the dispute's id, so the money moves once. Each call names the version of the deal: an older
 * call that arrives after its decision was taken back is refused.
 */
@Injectable()
export class SettlementsService {
  private readonly log = loggerOf('settlements')

  constructor(
    private readonly cases: CasesRepository,
    private readonly escrow: EscrowClient,
  ) {}

  /**
   * Posts a decision that was committed, and closes the dispute.
   *
   * @returns the dispute: closed, or with a mediator again when the deal holds another amount than at the ruling
   * @throws DomainError escrow's refusal of a settlement of the parties: then the case goes on where it was; `UNAVAILABLE` when the
   * outcome is unknown: then the call is repeated
   */
  async post(dispute: DisputeEntity): Promise<DisputeEntity> {
    const { id, transactionId, stoppedAtVersion, settleCause: cause, settleBy: by, currency } = dispute
    if (dispute.step !== 'settling' || !cause || !currency) return dispute
    const amount = (minor: bigint | null) => (minor === null ? null : formatAmount(minor, currency))
    const decided = {
      ...{ disputeId: id, stoppedAtVersion, cause, by },
      ...{ refundAmount: amount(dispute.settleRefundMinor), heldAmount: amount(dispute.settleHeldMinor) },
    }
    try {
      await this.escrow.atVersion(transactionId, dealVersion =>
        this.escrow.settle(transactionId, { ...decided, dealVersion }),
      )
      return await this.cases.markSettled(id)
    } catch (error) {
      if (!(error instanceof DomainError)) throw this.unknown(error, id)
      return this.refused(dispute, error)
    }
  }

  /** The error for the caller when it is unknown whether escrow has carried out a call. */
  private unknown(error: unknown, disputeId: number): DomainError {
    this.log.warn({ err: error, disputeId }, 'the outcome at escrow-svc is unknown; the call is repeated')
    return new DomainError('UNAVAILABLE')
  }

  private async refused(dispute: DisputeEntity, refusal: DomainError): Promise<DisputeEntity> {
    const { id, settleCause } = dispute
    // A mediator's ruling stands. It is posted once escrow allows it, such as when the bank has decided about a chargeback.
    const isTakenBack = settleCause === 'settlement' && TAKEN_BACK.includes(refusal.code)
    // The deal holds another amount than at the ruling, because a part was refunded at the provider. That does not pass.
    const isReopened = settleCause === 'ruling' && refusal.code === 'AMOUNT_INVALID'
    this.log.warn(
      { disputeId: id, code: refusal.code, isTakenBack, isReopened },
      'escrow-svc refuses to end this dispute now',
    )
    if (isTakenBack || isReopened) await this.cases.putBack(id, { reopened: isReopened })
    if (isReopened) return this.cases.get(id)
    throw refusal
  }
}
