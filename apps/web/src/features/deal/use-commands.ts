import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import type { ApiError } from '@holdfast/http-client/api-error'
import { useNavigate } from 'react-router-dom'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { useCommand } from '../../lib/use-command.js'
import { useConfirmDelivery } from '../shipping/shared/confirm-delivery.js'
import type { ConfirmedCommand } from './shared/command-words.js'

const refusedAs = (title: string) => (error: ApiError) => [title, error.serverMessage] as const

/** Gives the deal's commands. After each, whatever the answer was, the page shows the deal as the server has it. */
export function useCommands({ id, completesOnDelivery, buyer }: Transaction) {
  const navigate = useNavigate()
  const params = { id: String(id) }
  const refresh = () => refreshAfter({ kind: 'transaction', transactionId: id })
  const accept = useCommand(routes.acceptTransaction, {
    whether: 'the item was accepted',
    done: () => ['Item accepted', 'Transaction completed and funds released to seller'],
    refused: refusedAs('Error accepting item'),
    refresh,
  })
  const cancel = useCommand(routes.cancelTransaction, {
    whether: 'the transaction was cancelled',
    done: () => ['Transaction cancelled', 'Transaction has been cancelled and removed'],
    refused: refusedAs('Error cancelling transaction'),
    // A cancelled deal is gone. The page is left first, so that it does not say that the deal cannot be found.
    onDone: () => navigate(paths.dashboard),
    refresh,
  })
  const startHandover = useCommand(routes.updateTransactionStatus, {
    whether: 'the status was updated',
    done: () => ['Transaction Updated', 'Transaction status has been updated successfully.'],
    refused: error => ['Error', error.serverMessage || 'Failed to update transaction status.'],
    refresh,
  })
  const refund = useCommand(routes.refundTransaction, {
    whether: 'the refund was ordered',
    done: () => ['Refund ordered', `Everything goes back to ${buyer.firstName}.`],
    refused: refusedAs('Error refunding'),
    refresh,
  })
  const { confirm } = useConfirmDelivery({ id, completesOnDelivery })

  const given: Record<ConfirmedCommand, () => Promise<unknown>> = {
    accept: () => accept.give({ params }),
    cancel: () => cancel.give({ params }),
    start_handover: () => startHandover.give({ params, body: { status: 'in_progress' } }),
    refund: () => refund.give({ params }),
    confirm_delivery: confirm,
  }
  return (command: ConfirmedCommand) => given[command]()
}
