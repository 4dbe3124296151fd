import { displayAmount } from '@holdfast/kernel/money'
import { Button } from '../../components/button.js'
import { Dialog } from '../../components/dialog.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Select } from '../../components/select.js'
import { ShowMore } from '../../components/show-more.js'
import { useForm } from '../../lib/form/use-form.js'
import { useDraft } from '../../lib/use-draft.js'
import { DisputeFields } from './dispute-fields.js'
import { complete, type DisputeAnswers, disputeFaults } from './dispute-form.js'
import { DIALOG_REASONS } from './dispute-labels.js'
import { type DisputableDeals, useFiling } from './use-disputes.js'

export interface FileDisputeDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  disputable: DisputableDeals
  reporterId: string
}

/** The form in which a dispute is filed. Closed by mistake, it keeps what was typed. */
export default function FileDisputeDialog({ open, onOpenChange, disputable, reporterId }: FileDisputeDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="File New Dispute"
      description="The transaction is placed on hold until resolution. The money stays where it is."
    >
      <DisputeForm disputable={disputable} reporterId={reporterId} onDone={() => onOpenChange(false)} />
    </Dialog>
  )
}

interface DisputeFormProps extends Pick<FileDisputeDialogProps, 'disputable' | 'reporterId'> {
  onDone: () => void
}

/** The deal as a `<select>` holds it: its id as text, '' while none is chosen. */
interface DialogValues extends Pick<DisputeAnswers, 'reason' | 'description'> {
  readonly transactionId: string
}

const EMPTY: DialogValues = { transactionId: '', reason: '', description: '' }

function DisputeForm({ disputable, reporterId, onDone }: DisputeFormProps) {
  const draft = useDraft('dispute-dialog', EMPTY)
  // A draft may be about a deal that can no longer be disputed.
  const isListed = disputable.deals?.some(({ id }) => String(id) === draft.value.transactionId)
  const form = useForm<DialogValues>({
    initial: isListed ? draft.value : { ...draft.value, transactionId: '' },
    onChange: draft.set,
    asksToLeave: true,
    validate: values => ({
      transactionId: values.transactionId === '' ? 'Choose the transaction.' : undefined,
      ...disputeFaults(values),
    }),
  })
  const { file, busy } = useFiling({
    refused: reason => ['Failed to create dispute. Please try again.', reason],
    onFiled: () => {
      draft.forget()
      onDone()
    },
  })
  const submit = async (values: DialogValues) => {
    const dispute = complete({ ...values, transactionId: Number(values.transactionId) })
    return dispute ? file({ ...dispute, reporterId }) : undefined
  }
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      <Field label="Transaction" {...form.field('transactionId')}>
        <Select required>
          <option value="" disabled>
            Select a transaction
          </option>
          {disputable.deals?.map(({ id, listing, money, currency }) => (
            <option key={id} value={id}>
              {listing.title}, {displayAmount(money.held, currency)} held
            </option>
          ))}
        </Select>
      </Field>
      <ShowMore of={disputable} label="Show more transactions" errorTitle="More transactions could not be loaded" />
      <DisputeFields
        reasons={DIALOG_REASONS}
        reason={form.field('reason')}
        description={form.field('description')}
        rows={5}
      />
      <Button type="submit" busy={busy} className="justify-self-end">
        {busy ? 'Filing...' : 'File Dispute'}
      </Button>
    </Form>
  )
}
