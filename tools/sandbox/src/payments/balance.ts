import type { Context } from '../context.js'
import { objectId } from '../http/object-ids.js'
import { feeOf } from './amounts.js'
import type { BalanceRecord, ChargeRecord, MethodType } from './records.js'

/** Payments become available to the merchant after two days (docs.stripe.com/payouts#standard-payout-timing). */
const AVAILABLE_AFTER_DAYS = 2

/** A payment enters the merchant's balance, less the provider's fee. */
export function recordBalance(context: Context, type: MethodType, charge: ChargeRecord): BalanceRecord {
  return put(context, {
    amount: charge.amount,
    fee: feeOf(charge.amount, type),
    currency: charge.currency,
    type: type === 'card' ? 'charge' : 'payment',
    sourceId: charge.id,
    description: charge.description,
  })
}

/** Money moves without a fee: a refund (negative), its failure, a dispute's withdrawal or return. Fees are never refunded. */
export function recordMovement(
  context: Context,
  movement: Pick<BalanceRecord, 'amount' | 'currency' | 'type' | 'sourceId' | 'description'> & {
    readonly fee?: number
  },
): BalanceRecord {
  return put(context, { fee: 0, ...movement })
}

/** What is in Holdfast's balance at the provider, also what is not available yet. */
export function platformBalance({ state }: Context, currency: string): number {
  let sum = 0
  for (const each of state.balance.oldestFirst()) if (each.currency === currency) sum += each.amount - each.fee
  return sum
}

function put(context: Context, values: Omit<BalanceRecord, 'id' | 'createdAt' | 'availableAt'>): BalanceRecord {
  const now = context.now()
  const availableAt = values.amount > 0 ? now + AVAILABLE_AFTER_DAYS * context.config.daySeconds * 1000 : now
  return context.state.balance.put({ id: objectId('txn'), createdAt: now, availableAt, ...values })
}
