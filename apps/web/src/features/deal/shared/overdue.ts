import type { Transaction } from '@holdfast/contracts/transactions'

/**
 * Whether the system filed the dispute of this deal, because the item did not arrive in time. Only then may a party still act
 * on a disputed deal: the buyer confirms the delivery, or the seller refunds.
 */
export const isOverdue = ({ status, actions }: Pick<Transaction, 'status' | 'actions'>): boolean =>
  status === 'disputed' && actions.length > 0
