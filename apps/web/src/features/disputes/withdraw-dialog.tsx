import { routes } from 'virtual:routes'
import type { Dispute } from '@holdfast/contracts/disputes'
import { AlertDialog } from '../../components/alert-dialog.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { useCommand } from '../../lib/use-command.js'

interface WithdrawDialogProps {
  dispute: Pick<Dispute, 'id' | 'transactionId'>
  open: boolean
  onClose: () => void
}

/** Takes a dispute back, after a question: the clocks start again. */
export function WithdrawDialog({ dispute: { id, transactionId }, open, onClose }: WithdrawDialogProps) {
  const { give, busy } = useCommand(routes.withdrawDispute, {
    whether: 'the dispute was withdrawn',
    done: () => ['Dispute withdrawn', 'The transaction goes on where it stopped.'],
    refused: error => ['The dispute was not withdrawn', error.serverMessage],
    refresh: () => refreshAfter({ kind: 'dispute', transactionId }),
  })
  const withdraw = async () => {
    await give({ params: { id: String(id) } })
    onClose()
  }
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Withdraw this dispute?"
      description="The money stays held, and the transaction goes on with the time that was left. If less than 24 hours are left, the deadline is extended to 24 hours, but only once."
      confirm="Withdraw Dispute"
      busyWords="Withdrawing..."
      busy={busy}
      onConfirm={() => void withdraw()}
    />
  )
}
