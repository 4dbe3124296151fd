import type { Transaction } from '@holdfast/contracts/transactions'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { StepActions } from '../../components/wizard.js'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { complete, type StepProps } from './dispute-form.js'
import { reasonLabel } from './dispute-labels.js'
import { useFiling } from './use-disputes.js'

interface ReviewStepProps extends StepProps {
  deal: Transaction | undefined
  /** The dispute is filed: the draft is not needed any more. */
  onFiled: () => void
}

const FAILED = 'There was an error submitting your dispute. Please try again.'

export default function ReviewStep({ answers, onBack, deal, onFiled }: ReviewStepProps) {
  const navigate = useNavigate()
  const { file, busy } = useFiling({
    refused: reason => ['Error filing dispute', `${FAILED} ${reason}`.trim()],
    onFiled: () => {
      onFiled()
      return navigate(paths.disputes)
    },
  })
  const submit = () => {
    const dispute = complete(answers)
    if (dispute) void file(dispute)
    else toastError('Missing information', 'Please fill in all required fields.')
  }
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          { label: 'Transaction', value: deal?.listing.title ?? `#${answers.transactionId}` },
          { label: 'Reason', value: reasonLabel(answers.reason) },
        ]}
      />
      <div>
        <h3 className="text-sm font-semibold">Description</h3>
        <p className="mt-1 max-w-text typed">{answers.description}</p>
      </div>
      <p className="text-ink-soft">
        Once you submit, every clock of this transaction stops. Then you can add pictures in the case, and the other
        side has 3 days to answer. Initial review takes 24-48 hours.
      </p>
      <StepActions
        back={
          <Button kind="quiet" onClick={onBack} disabled={busy}>
            Back
          </Button>
        }
        next={
          <Button busy={busy} onClick={submit}>
            {busy ? 'Submitting...' : 'Submit Dispute'}
          </Button>
        }
      />
    </div>
  )
}
