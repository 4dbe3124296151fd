import { Uuid } from '@holdfast/contracts/fields'
import { DomainError } from '@holdfast/kernel/errors'
import { formatAmount } from '@holdfast/kernel/money'
import { PAYOUT_BLOCK_OPERATOR_TEXTS } from '@holdfast/kernel/payouts'
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { z } from 'zod'
import { payoutRefusal } from '../payouts/domain/blocked-by.js'
import { PayoutEntity } from '../payouts/payout.entity.js'
import { PayoutsService } from '../payouts/payouts.service.js'
import type { ActImpact, ActingAdmin, ActResult, GuardedAct } from './guarded-act.js'

const Input = z.object({ payoutId: Uuid })

/**
 * An operator pays a seller out again after a payout came back. What came back is a part of the seller's balance, and a payout
 * always takes all of it that can be paid out.
 */
@Injectable()
export class SendPayoutAgain implements GuardedAct {
  readonly kind = 'payout.send_again'

  constructor(private readonly payouts: PayoutsService) {}

  /** @throws DomainError `NOT_FOUND`, `CONFLICT` for a payout that has not come back, `PAYOUT_NOT_POSSIBLE` */
  async impactOf(dbTx: EntityManager, input: unknown): Promise<ActImpact> {
    const { id, sellerId, status, currency } = await this.find(dbTx, input)
    if (status !== 'returned') throw new DomainError('CONFLICT', { status })
    const { payableMinor: amountMinor, blocks } = await this.payouts.outlook(dbTx, sellerId, currency)
    if (blocks.length > 0) throw payoutRefusal(blocks, PAYOUT_BLOCK_OPERATOR_TEXTS)
    return { subject: `payout:${id}`, amountMinor, currency, parties: [sellerId] }
  }

  /** @throws DomainError `CONFLICT` when that amount has changed since `impactOf`: a release does not wait for the seller's row */
  async perform(dbTx: EntityManager, input: unknown, { impact }: ActingAdmin): Promise<ActResult> {
    const { sellerId, status, currency, amountMinor } = await this.find(dbTx, input)
    const made = await this.payouts.payOutAll(dbTx, sellerId)
    if (Array.isArray(made)) throw payoutRefusal(made, PAYOUT_BLOCK_OPERATOR_TEXTS)
    if (made.amountMinor !== impact.amountMinor)
      throw new DomainError('CONFLICT', { amount: formatAmount(made.amountMinor, currency) })
    return {
      before: { status, amount: formatAmount(amountMinor, currency) },
      after: { payoutId: made.id, status: made.status, amount: formatAmount(made.amountMinor, currency) },
      committed: () => this.payouts.scheduleSending(made),
    }
  }

  private async find(dbTx: EntityManager, input: unknown): Promise<PayoutEntity> {
    const payout = await dbTx.findOneBy(PayoutEntity, { id: Input.parse(input).payoutId })
    if (!payout) throw new DomainError('NOT_FOUND')
    return payout
  }
}
