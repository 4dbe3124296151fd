/** The part of the deal's model that is about disputes, and about the refund by an operator, which ends them, too. */
import type { Who } from './deal-moves.js'
import {
  answer,
  endAs,
  FUNDED,
  freeze,
  type ModelDeal,
  type Outcome,
  refundInFull,
  type Step,
  stateOf,
} from './deal-state.js'

/** A dispute stops the deal. */
export function freezeStep({ who, dispute }: { who: Who; dispute: number }): Step {
  return deal => {
    if (who === 'stranger') return answer(deal, '404')
    if (deal.frozen?.by === dispute) return answer(deal, '200 disputed')
    if (deal.ended.includes(dispute)) return answer(deal, '409')
    if (who === 'buyer' && !deal.accepted) return answer(deal, '409')
    return FUNDED.includes(deal.status) ? answer(freeze(deal, dispute, who), '200 disputed') : answer(deal, '409')
  }
}

/** A dispute ends without money. */
export function resumeStep(dispute: number): Step {
  return deal => {
    if (deal.ended.includes(dispute)) return answer(deal, `200 ${deal.status}`)
    const ended = [...deal.ended, dispute].sort((a, b) => a - b)
    // A deal that is over keeps nothing about its disputes.
    if (deal.status === 'completed' || deal.status === 'cancelled') return answer(deal, `200 ${deal.status}`)
    if (!deal.frozen) return answer({ ...deal, ended }, `200 ${deal.status}`)
    const { from, by } = deal.frozen
    if (by !== dispute || stateOf(deal) !== 'disputed') return answer(deal, '409')
    return answer({ ...deal, status: from, frozen: null, ended }, `200 ${from}`)
  }
}

/** What an operator may refund without a second admin. */
const ALONE_UP_TO = 50_000

/** An operator refunds the deal in full. */
export function forceRefundStep(deal: ModelDeal): Outcome[] {
  const from = [...FUNDED, 'disputed', 'overdue', 'short']
  if (!from.includes(stateOf(deal))) return answer(deal, '409')
  return deal.hold > ALONE_UP_TO ? answer(deal, '200 waiting') : answer(refundInFull(deal), '200 done')
}

const TEN_CENTS = 10

/** A dispute ends with money. */
export function settleStep({ dispute, back }: { dispute: number; back: 'nothing' | 'ten cents' | 'all' }): Step {
  return deal => {
    // A repeated call changes nothing. A dispute that has ended otherwise was not ended by this call.
    if (deal.ended.includes(dispute)) return answer(deal, deal.settled === back ? `200 ${deal.status}` : '409')
    if (!deal.frozen || !['disputed', 'overdue', 'short'].includes(stateOf(deal))) return answer(deal, '409')
    const { by } = deal.frozen
    if (typeof by === 'number' && by !== dispute) return answer(deal, '409')
    const held = Math.max(0, deal.hold - deal.fee)
    const refund = { nothing: 0, 'ten cents': TEN_CENTS, all: held }[back]
    if (refund > held) return answer(deal, '400')
    const ended = [...deal.ended, dispute].sort((a, b) => a - b)
    const settled = endAs(refund === held ? 'cancelled' : 'completed')({ ...deal, ended, settled: back })
    return answer(settled, `200 ${settled.status}`)
  }
}
