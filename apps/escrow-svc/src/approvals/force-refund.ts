import { IntegerId } from '@holdfast/contracts/fields'
import { DomainError } from '@holdfast/kernel/errors'
import { newId } from '@holdfast/kernel/ids'
import { formatAmount } from '@holdfast/kernel/money'
import { CONFIG } from '@holdfast/service-kit/lifecycle/config'
import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'
import { z } from 'zod'
import type { EscrowConfig } from '../config.js'
import { DealsRepository } from '../deals/deals.repository.js'
import { stateOf } from '../deals/domain/deal.js'
import { decide } from '../deals/domain/decisions.js'
import { assertAllowed } from '../deals/domain/transitions.js'
import type { ActImpact, ActingAdmin, ActResult, GuardedAct } from './guarded-act.js'

/** A request that was made with an older release has no reason for the parties. */
const Input = z.object({ transactionId: IntegerId, reasonForParties: z.string().nullable().default(null) })

/** An operator refunds a deal that holds money to its buyer in full, also while it is disputed. */
@Injectable()
export class ForceRefund implements GuardedAct {
  readonly kind = 'refund.force'

  constructor(
    private readonly deals: DealsRepository,
    @Inject(CONFIG) private readonly config: EscrowConfig,
  ) {}

  async impactOf(dbTx: EntityManager, input: unknown): Promise<ActImpact> {
    const { transactionId } = Input.parse(input)
    // What is held must not change before it is refunded: the amount decides whether a second admin is needed.
    await dbTx.query('SELECT FROM transaction WHERE id = $1 FOR UPDATE', [transactionId])
    const deal = await this.deals.find(transactionId)
    if (!deal) throw new DomainError('TRANSACTION_NOT_FOUND')
    assertAllowed('forceRefund', 'operator', stateOf(deal))
    const { holdMinor: amountMinor, currency, buyerId, sellerId } = deal
    return { subject: `transaction:${transactionId}`, amountMinor, currency, parties: [buyerId, sellerId] }
  }

  async perform(dbTx: EntityManager, input: unknown, { actorId }: ActingAdmin): Promise<ActResult> {
    const { transactionId, reasonForParties: reason } = Input.parse(input)
    const { DAY_SECONDS: daySeconds } = this.config
    const { deal, change } = await this.deals.changeWithin(
      dbTx,
      transactionId,
      `operator:${actorId}`,
      (found, { now }) =>
        decide(found, { type: 'forceRefund', reason }, { role: 'operator', now, daySeconds, refundId: newId() }),
    )
    const held = (minor: bigint) => formatAmount(minor, deal.currency)
    return {
      before: { status: deal.status, held: held(deal.holdMinor) },
      after: {
        status: change.status,
        held: held(deal.holdMinor + change.effect.holdMinor),
        refundId: change.refund?.id,
        reasonForParties: reason,
      },
      committed: () => this.deals.wakeRelay(),
    }
  }
}
