import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { MAX_CARRIER_LENGTH, MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Form } from '../../components/form.js'
import { Input } from '../../components/input.js'
import { serverWords } from '../../lib/api.js'
import { refusedFields } from '../../lib/command-outcome.js'
import { useForm } from '../../lib/form/use-form.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { toastError } from '../../lib/toast.js'
import { useCommand } from '../../lib/use-command.js'
import { useDraft } from '../../lib/use-draft.js'

const MISSING_NUMBER = 'Please enter a tracking number.'

interface Shipping {
  readonly trackingNumber: string
  readonly carrier: string
}

/** The form in which the seller saves or corrects the tracking number. */
export function EditableShipping({ transaction }: { transaction: Transaction }) {
  const { id, status } = transaction
  const saved: Shipping = { trackingNumber: transaction.trackingNumber ?? '', carrier: transaction.carrier ?? '' }
  const draft = useDraft(`shipping:${id}`, saved)
  const form = useForm<Shipping>({ initial: draft.value, validate: missingNumber, onChange: draft.set })
  const save = useCommand(routes.saveTracking, {
    whether: 'the tracking number was saved',
    done: () => ['Tracking Updated', 'Tracking information has been saved successfully.'],
    refused: error => ['Error', serverWords(error, 'Failed to update tracking information.')],
    refresh: () => refreshAfter({ kind: 'transaction', transactionId: id }),
  })

  async function submit({ trackingNumber, carrier }: Shipping) {
    const body = { trackingNumber: trackingNumber.trim(), carrier: carrier.trim() || null }
    const outcome = await save.give({ params: { id: String(id) }, body })
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    form.reset({ trackingNumber: body.trackingNumber, carrier: body.carrier ?? '' })
    draft.forget()
  }

  return (
    <Form form={form} onSubmit={submit} onRefused={() => toastError('Error', MISSING_NUMBER)} className="grid gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Tracking Number" optional {...form.field('trackingNumber')}>
          <Input
            maxLength={MAX_TRACKING_NUMBER_LENGTH}
            autoComplete="off"
            autoCapitalize="characters"
            className="figures"
          />
        </Field>
        <Field label="Carrier (e.g. UPS, FedEx, USPS)" optional {...form.field('carrier')}>
          <Input maxLength={MAX_CARRIER_LENGTH} autoComplete="off" />
        </Field>
      </div>
      <p className="text-sm text-ink-soft">
        {status === 'shipped'
          ? 'While the item travels you can correct the number.'
          : 'Saving a number says that you have shipped. Without a carrier, hand the item over in person from the transaction page instead.'}
      </p>
      <Button type="submit" busy={save.busy} className="justify-self-start">
        {save.busy ? 'Saving...' : 'Save Tracking Info'}
      </Button>
    </Form>
  )
}

/** A number is required, although the field is labelled optional (spec section 5). */
const missingNumber = ({ trackingNumber }: Shipping) => ({
  trackingNumber: trackingNumber.trim() === '' ? MISSING_NUMBER : undefined,
})
