import type { Cause, Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { recordMovement } from './balance.js'
import { tellDispute } from './events.js'
import type { BalanceRecord, ChargeRecord, DisputeRecord } from './records.js'

/** The provider's fee for a dispute, in the smallest unit; returned when the merchant wins (stripe.com/pricing). */
const DISPUTE_FEE = 1_500

/** The cardholder disputes a payment: the amount not yet refunded, and a fee, leave the merchant's balance at once. */
export function openDispute(context: Context, cause: Cause, charge: ChargeRecord): DisputeRecord {
  const id = objectId('du')
  const amount = charge.amount - charge.amountRefunded
  const movement = move(context, id, charge, -amount, DISPUTE_FEE)
  context.state.charges.put({ ...charge, disputed: true })
  const dispute = context.state.disputes.put({
    id,
    createdAt: context.now(),
    chargeId: charge.id,
    intentId: charge.intentId,
    amount,
    currency: charge.currency,
    status: 'needs_response',
    balanceIds: [movement.id],
  })
  tellDispute(context, cause, 'charge.dispute.created', dispute)
  tellDispute(context, cause, 'charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/**
 * The bank decides: `won` returns amount and fee to the merchant, `lost` does not. A bank that had decided for the merchant takes both
 * again when it then decides otherwise.
 */
export function closeDispute(
  context: Context,
  cause: Cause,
  dispute: DisputeRecord,
  outcome: 'won' | 'lost',
): DisputeRecord {
  const charge = context.state.charges.get(dispute.chargeId)
  const isTakenAgain = outcome === 'lost' && dispute.status === 'won'
  const back = outcome === 'won' ? 1 : isTakenAgain ? -1 : 0
  const movements =
    back !== 0 && charge ? [move(context, dispute.id, charge, back * dispute.amount, -back * DISPUTE_FEE).id] : []
  const closed = context.state.disputes.put({
    ...dispute,
    status: outcome,
    balanceIds: [...dispute.balanceIds, ...movements],
  })
  const previous = { status: dispute.status }
  tellDispute(context, cause, 'charge.dispute.closed', closed, previous)
  if (outcome === 'won') tellDispute(context, cause, 'charge.dispute.funds_reinstated', closed, previous)
  if (isTakenAgain) tellDispute(context, cause, 'charge.dispute.funds_withdrawn', closed, previous)
  return closed
}

function move(context: Context, sourceId: string, charge: ChargeRecord, amount: number, fee: number): BalanceRecord {
  const description = `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${charge.id}`
  return recordMovement(context, { amount, fee, currency: charge.currency, type: 'adjustment', sourceId, description })
}
