import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { serverWords } from '../../../lib/api.js'
import { refreshAfter } from '../../../lib/live/changes.js'
import { useCommand } from '../../../lib/use-command.js'

/**
 * The buyer's word that the item arrived.
 *
 * @param onDone runs after success, before the deal is asked for again
 */
export function useConfirmDelivery(
  { id, completesOnDelivery }: Pick<Transaction, 'id' | 'completesOnDelivery'>,
  onDone: () => unknown = () => undefined,
) {
  const { give, busy } = useCommand(routes.confirmDelivery, {
    whether: 'the delivery was confirmed',
    done: () => [
      'Delivery Confirmed',
      completesOnDelivery
        ? 'Transaction completed and funds released to seller'
        : 'Item has been marked as delivered. Moving to inspection period.',
    ],
    refused: error => ['Error', serverWords(error, 'Failed to confirm delivery.')],
    refresh: () => refreshAfter({ kind: 'transaction', transactionId: id }),
    onDone,
  })
  return { confirm: () => give({ params: { id: String(id) } }), busy }
}
