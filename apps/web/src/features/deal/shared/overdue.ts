import type { Transaction } from '@holdfast/contracts/transactions'
import { isZero } from '@holdfast/kernel/money'

/**
 * Whether the system filed the dispute of this deal, because the item did not arrive in time. The buyer may then confirm the
 * delivery, and the seller may refund. On a deal of which a part is gone the seller may refund, too.
 */
export const isOverdue = ({ status, actions, money }: Pick<Transaction, 'status' | 'actions' | 'money'>): boolean =>
  status === 'disputed' && actions.length > 0 && isZero(money.refunded) && isZero(money.chargedBack)
