import { Button } from '../../components/button.js'
import { Form } from '../../components/form.js'
import { StepActions } from '../../components/wizard.js'
import { useForm } from '../../lib/form/use-form.js'
import { toastError } from '../../lib/toast.js'
import { DisputeFields } from './dispute-fields.js'
import { type DisputeAnswers, disputeFaults, type StepProps } from './dispute-form.js'
import { WIZARD_REASONS } from './dispute-labels.js'

/** Goes on to the review once both questions are answered. */
export default function DetailsStep({ answers, onChange, onBack, onContinue }: StepProps) {
  const form = useForm<Pick<DisputeAnswers, 'reason' | 'description'>>({
    initial: { reason: answers.reason, description: answers.description },
    validate: disputeFaults,
    onChange: values => onChange({ ...answers, ...values }),
  })
  return (
    <Form
      form={form}
      onSubmit={async () => onContinue()}
      onRefused={() => toastError('Missing information', 'Please fill in all required fields.')}
      className="grid gap-5"
    >
      <DisputeFields
        reasons={WIZARD_REASONS}
        reason={form.field('reason')}
        description={form.field('description')}
        rows={7}
      />
      <div className="mt-3">
        <StepActions
          back={
            <Button kind="quiet" onClick={onBack}>
              Back
            </Button>
          }
          next={<Button type="submit">Review</Button>}
        />
      </div>
    </Form>
  )
}
