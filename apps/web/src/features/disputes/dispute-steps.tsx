import type { Transaction } from '@holdfast/contracts/transactions'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Form } from '../../components/form.js'
import { ShowMore } from '../../components/show-more.js'
import { StepActions } from '../../components/wizard.js'
import { classes } from '../../lib/class-names.js'
import { fullName } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { DealBadge } from '../deal/shared/deal-badge.js'
import { DisputeFields } from './dispute-fields.js'
import { complete, type DisputeAnswers, disputeFaults } from './dispute-form.js'
import { reasonLabel, WIZARD_REASONS } from './dispute-labels.js'
import { Held } from './held.js'
import { type DisputableDeals, useFiling } from './use-disputes.js'

interface StepProps {
  answers: DisputeAnswers
  onChange: (answers: DisputeAnswers) => void
  onBack: () => void
  onContinue: () => void
}

interface SelectStepProps extends StepProps {
  disputable: DisputableDeals
  /** The deal that is chosen. It may be on a page that is not loaded. */
  chosen: Transaction | undefined
  userId: string
}

export function SelectStep({ answers, onChange, onContinue, disputable, chosen, userId }: SelectStepProps) {
  const listed = disputable.deals ?? []
  const deals = chosen && !listed.some(({ id }) => id === chosen.id) ? [chosen, ...listed] : listed
  return (
    <div>
      <fieldset className="grid gap-3">
        <legend className="sr-only">Select the transaction</legend>
        {deals.map(deal => (
          <label
            key={deal.id}
            className={classes(
              'flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border p-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
              answers.transactionId === deal.id
                ? 'border-ink inset-ring inset-ring-ink'
                : 'border-edge hover:border-ink',
            )}
          >
            <input
              type="radio"
              name="transaction"
              checked={answers.transactionId === deal.id}
              onChange={() => onChange({ ...answers, transactionId: deal.id })}
              className="size-5 accent-ink outline-none"
            />
            <span className="min-w-0 flex-1 basis-52">
              <span className="block font-semibold">{deal.listing.title}</span>
              <span className="text-sm text-ink-soft">{partyLine(deal, userId)}</span>
            </span>
            <DealBadge status={deal.status} />
            <Held deal={deal} />
          </label>
        ))}
      </fieldset>
      <div className="mt-4">
        <ShowMore of={disputable} errorTitle="More transactions could not be loaded" />
      </div>
      <div className="mt-8">
        <StepActions
          next={
            <Button disabled={answers.transactionId === null} onClick={onContinue}>
              Continue
            </Button>
          }
        />
      </div>
    </div>
  )
}

const partyLine = ({ buyerId, buyer, seller }: Transaction, userId: string) =>
  buyerId === userId ? `Purchased from ${fullName(seller)}` : `Sold to ${fullName(buyer)}`

/** Goes on to the review once both questions are answered. */
export function DetailsStep({ answers, onChange, onBack, onContinue }: StepProps) {
  const form = useForm<Pick<DisputeAnswers, 'reason' | 'description'>>({
    initial: { reason: answers.reason, description: answers.description },
    validate: disputeFaults,
    onChange: values => onChange({ ...answers, ...values }),
  })
  return (
    <Form form={form} onSubmit={async () => onContinue()} className="grid gap-5">
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

interface ReviewStepProps extends StepProps {
  deal: Transaction | undefined
  /** The dispute is filed: the draft is not needed any more. */
  onFiled: () => void
}

const FAILED = 'There was an error submitting your dispute. Please try again.'

export function ReviewStep({ answers, onBack, deal, onFiled }: ReviewStepProps) {
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
        <p className="mt-1 max-w-prose typed">{answers.description}</p>
      </div>
      <p className="text-ink-soft">
        Once you submit, every clock of this transaction stops. Initial review takes 24-48 hours.
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
