import { routes } from 'virtual:routes'
import type { DisputeCase } from '@holdfast/contracts/disputes'
import { paramsOf, useCaseCommand } from './case.js'
import { ReasonDialog } from './reason-dialog.js'

interface AppealDialogProps {
  open: boolean
  onClose: () => void
  dispute: DisputeCase
}

/** Appeals against a ruling. */
export function AppealDialog({ open, onClose, dispute }: AppealDialogProps) {
  const appeal = useCaseCommand(routes.appealRuling, dispute, {
    whether: 'you appealed',
    done: ['You have appealed', 'Another mediator decides. The money stays held until then.'],
    refused: 'The appeal was not sent',
  })
  return (
    <ReasonDialog
      open={open}
      onClose={onClose}
      draft={`appeal:${dispute.id}`}
      title="Appeal against the ruling?"
      description="Another mediator reads the case and decides. That decision is final. The money stays held until then."
      label="Why is the ruling wrong?"
      missing="Say why the ruling is wrong."
      send="Appeal"
      sending="Sending..."
      busy={appeal.busy}
      onSend={reason => appeal.give({ params: paramsOf(dispute), body: { reason } })}
    />
  )
}
