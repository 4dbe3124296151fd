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
 * Escrow recognises a repeated call by the dispute's id, so the money moves once.
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
   * @returns the dispute: closed, or with a mediator again when the deal no longer holds what was ruled
   * @throws DomainError escrow's refusal of a settlement of the parties: then the case goes on where it was; `UNAVAILABLE` when the
   * outcome is unknown: then the call is repeated
   */
  async post(dispute: DisputeEntity): Promise<DisputeEntity> {
    const { id, transactionId, settleRefundMinor, settleCause: cause, settleBy: by, currency } = dispute
    if (dispute.step !== 'settling' || !cause || !currency) return dispute
    const refundAmount = settleRefundMinor === null ? null : formatAmount(settleRefundMinor, currency)
    try {
      await this.escrow.settle(transactionId, { disputeId: id, refundAmount, cause, by })
    } catch (error) {
      if (!(error instanceof DomainError)) {
        this.log.warn({ err: error, disputeId: id }, 'the outcome at escrow-svc is unknown; the call is repeated')
        throw new DomainError('UNAVAILABLE')
      }
      return this.refused(dispute, error)
    }
    return this.cases.markSettled(id)
  }

  private async refused(dispute: DisputeEntity, refusal: DomainError): Promise<DisputeEntity> {
    const { id, settleCause } = dispute
    // A mediator's ruling stands. It is posted once escrow allows it, such as when the bank has decided about a chargeback.
    const isTakenBack = settleCause === 'settlement' && TAKEN_BACK.includes(refusal.code)
    // The deal holds less than the ruling gives back, because a part was refunded at the provider. That does not pass.
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
