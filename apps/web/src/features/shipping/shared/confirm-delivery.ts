import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { request, serverWords } from '../../../lib/api.js'
import { refreshAfter } from '../../../lib/live/changes.js'
import { toast, toastError } from '../../../lib/toast.js'

/** The buyer's word that the item arrived. Tells how it went, and answers whether it did. */
export async function confirmDelivery(transaction: Pick<Transaction, 'id' | 'completesOnDelivery'>): Promise<boolean> {
  let confirmed = false
  try {
    await request(routes.confirmDelivery, { params: { id: String(transaction.id) } })
    confirmed = true
    toast(
      'Delivery Confirmed',
      transaction.completesOnDelivery
        ? 'Transaction completed and funds released to seller'
        : 'Item has been marked as delivered. Moving to inspection period.',
    )
  } catch (error) {
    toastError('Error', serverWords(error, 'Failed to confirm delivery.'))
  }
  await refreshAfter({ kind: 'transaction', transactionId: transaction.id })
  return confirmed
}
