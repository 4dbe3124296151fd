import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useNavigate } from 'react-router-dom'
import { request, serverWords } from '../../lib/api.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { paths } from '../../lib/paths.js'
import { toast, toastError } from '../../lib/toast.js'
import { useConfirmDelivery } from '../shipping/shared/confirm-delivery.js'
import type { ConfirmedCommand } from './shared/command-words.js'

/** Where the server's own words are missing, its answer is: whether the money moved, nobody here can say. */
const UNANSWERED = 'There was no answer, so this may have been done or not. Look at the transaction again in a moment.'

interface Command {
  readonly run: () => Promise<unknown>
  readonly done: readonly [title: string, description: string]
  readonly failed: readonly [title: string, fallback: string]
}

/** Gives a command and tells how it went; whatever the answer, the page then shows the deal as the server has it. */
export function useCommands(deal: Transaction) {
  const navigate = useNavigate()
  const { confirm } = useConfirmDelivery(deal)
  return async (name: ConfirmedCommand): Promise<void> => {
    if (name === 'confirm_delivery') {
      await confirm()
      return
    }
    const { run, done, failed } = commandOf(name, deal)
    try {
      await run()
      toast(...done)
      // A cancelled deal is gone: first away from it, so that its page does not say that it cannot be found.
      if (name === 'cancel') await navigate(paths.dashboard)
    } catch (error) {
      const [title, fallback] = failed
      toastError(title, serverWords(error, fallback))
    }
    await refreshAfter({ kind: 'transaction', transactionId: deal.id })
  }
}

function commandOf(name: Exclude<ConfirmedCommand, 'confirm_delivery'>, { id, buyer }: Transaction): Command {
  const params = { id: String(id) }
  switch (name) {
    case 'accept':
      return {
        run: () => request(routes.acceptTransaction, { params }),
        done: ['Item accepted', 'Transaction completed and funds released to seller'],
        failed: ['Error accepting item', UNANSWERED],
      }
    case 'cancel':
      return {
        run: () => request(routes.cancelTransaction, { params }),
        done: ['Transaction cancelled', 'Transaction has been cancelled and removed'],
        failed: ['Error cancelling transaction', UNANSWERED],
      }
    case 'start_handover':
      return {
        run: () => request(routes.updateTransactionStatus, { params, body: { status: 'in_progress' } }),
        done: ['Transaction Updated', 'Transaction status has been updated successfully.'],
        failed: ['Error', 'Failed to update transaction status.'],
      }
    case 'refund':
      return {
        run: () => request(routes.refundTransaction, { params }),
        done: ['Refund ordered', `Everything goes back to ${buyer.firstName}.`],
        failed: ['Error refunding', UNANSWERED],
      }
  }
}
