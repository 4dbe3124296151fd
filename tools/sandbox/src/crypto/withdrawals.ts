import { randomUUID } from 'node:crypto'
import type { Context } from '../context.js'
import { newTransactionId, unitsOf } from './assets.js'
import type { WithdrawalRecord } from './records.js'
import { renderWithdrawal } from './render.js'
import { tell } from './tell.js'

/** Sends what an amount in cents is worth to a wallet. It arrives at once, or when a person lets it, as the settings say. */
export function createWithdrawal(
  context: Context,
  wanted: Pick<
    WithdrawalRecord,
    'orderId' | 'amount' | 'currency' | 'asset' | 'address' | 'customerId' | 'contextJson'
  >,
): WithdrawalRecord {
  const created = context.state.withdrawals.put({
    ...wanted,
    id: randomUUID(),
    createdAt: context.now(),
    units: unitsOf(wanted.amount, wanted.asset).toString(),
    state: 'created',
    transactionId: null,
  })
  tell(context, 'withdrawal.created', renderWithdrawal(created), created.id)
  if (context.state.settings.refunds === 'at_once') completeWithdrawal(context, created)
  return created
}

/** The network has the transaction of a withdrawal. */
export function completeWithdrawal(context: Context, withdrawal: WithdrawalRecord): WithdrawalRecord {
  const transactionId = newTransactionId(withdrawal.asset)
  const completed = context.state.withdrawals.put({ ...withdrawal, state: 'completed', transactionId })
  tell(context, 'withdrawal.completed', renderWithdrawal(completed), completed.id)
  return completed
}
