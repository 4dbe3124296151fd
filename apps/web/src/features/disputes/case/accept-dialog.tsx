import { routes } from 'virtual:routes'
import type { DisputeCase } from '@holdfast/contracts/disputes'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { paramsOf, useCaseCommand } from './case.js'
import { otherSide } from './people.js'
import type { Split } from './split.view.js'
import { SplitPreview } from './split-preview.js'

interface AcceptDialogProps {
  open: boolean
  onClose: () => void
  dispute: DisputeCase
  /** The amount that the other party has proposed. */
  refundAmount: string
  split: Split
}

/** The question before a settlement: it moves the money at once. */
export function AcceptDialog({ open, onClose, dispute, refundAmount, split }: AcceptDialogProps) {
  const accept = useCaseCommand(routes.proposeSettlement, dispute, {
    whether: 'the dispute was settled',
    done: ({ status }) =>
      status === 'closed' ? ['Settled', 'The money leaves the hold as you agreed.'] : notSettled(dispute),
    refused: 'The dispute was not settled',
  })
  const confirm = async () => {
    await accept.give({ params: paramsOf(dispute), body: { refundAmount } })
    onClose()
  }
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Accept this settlement?"
      description="The money leaves the hold at once and the dispute is closed. This cannot be taken back."
      confirm="Accept and Settle"
      busyWords="Settling..."
      busy={accept.busy}
      onConfirm={() => void confirm()}
    >
      <SplitPreview dispute={dispute} split={split} />
    </AlertDialog>
  )
}

/** The other proposal or the held price has changed since the page was loaded. The server then takes the amount as a proposal. */
function notSettled(dispute: DisputeCase): readonly [string, string] {
  const other = otherSide(dispute.viewerRole)
  const name = other ? dispute[other].firstName : 'the other side'
  return [
    'Not settled yet',
    `The proposal or the held amount had changed. You propose this amount now, and ${name} can accept it.`,
  ]
}
