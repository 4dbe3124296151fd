import { routes } from 'virtual:routes'
import type { DisputeCase, Proposal } from '@holdfast/contracts/disputes'
import { AlertDialog } from '../../../components/alert-dialog.js'
import { paramsOf, useCaseCommand } from './case.js'
import type { Split } from './split.view.js'
import { SplitPreview } from './split-preview.js'

interface AcceptDialogProps {
  open: boolean
  onClose: () => void
  dispute: DisputeCase
  /** What the other party has proposed. */
  proposal: Proposal
  split: Split
}

/** The words after a settlement. */
export const SETTLED = ['Settled', 'The money leaves the hold as you agreed.'] as const

/** The question before a settlement: it moves the money at once. */
export function AcceptDialog({ open, onClose, dispute, proposal, split }: AcceptDialogProps) {
  const accept = useCaseCommand(routes.proposeSettlement, dispute, {
    whether: 'the dispute was settled',
    done: SETTLED,
    refused: 'The dispute was not settled',
  })
  const confirm = async () => {
    const { id: accepts, refundAmount } = proposal
    await accept.give({ params: paramsOf(dispute), body: { refundAmount, accepts } })
    onClose()
  }
  return (
    <AlertDialog
      open={open}
      onClose={onClose}
      title="Accept this settlement?"
      description="The money leaves the hold at once and the dispute is closed. This cannot be taken back."
      basis={[proposal.id, split]}
      confirm="Accept and Settle"
      busyWords="Settling..."
      busy={accept.busy}
      onConfirm={() => void confirm()}
    >
      <SplitPreview dispute={dispute} split={split} />
    </AlertDialog>
  )
}
