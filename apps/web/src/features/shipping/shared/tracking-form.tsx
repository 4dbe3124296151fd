import { MAX_CARRIER_LENGTH, MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Input } from '../../../components/input.js'
import { type Outcome, refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { useDraft } from '../../../lib/use-draft.js'

export const MISSING_NUMBER = 'Please enter a tracking number.'

interface Tracking {
  readonly trackingNumber: string
  readonly carrier: string | null
}

interface TrackingFormProps {
  /** The name of the draft. */
  draft: string
  saved: { readonly trackingNumber?: string | null; readonly carrier?: string | null } | null
  save: { readonly busy: boolean; readonly give: (tracking: Tracking) => Promise<Outcome<unknown> | null> }
  /** Whether the number is labelled as optional. It is required all the same. */
  isLabelledOptional?: boolean
  button: string
  kind?: 'primary' | 'quiet'
  onMissing?: () => void
  /** What stands between the fields and the button. */
  children?: ReactNode
}

/** The form in which somebody who has sent a parcel saves or corrects its tracking number and carrier. */
export function TrackingForm(props: TrackingFormProps) {
  const { saved, save, isLabelledOptional = false, button, kind = 'primary', onMissing, children } = props
  const draft = useDraft(props.draft, { trackingNumber: saved?.trackingNumber ?? '', carrier: saved?.carrier ?? '' })
  const form = useForm({ initial: draft.value, validate: missingNumber, onChange: draft.set })

  async function submit(typed: { trackingNumber: string; carrier: string }) {
    const tracking = { trackingNumber: typed.trackingNumber.trim(), carrier: typed.carrier.trim() || null }
    const outcome = await save.give(tracking)
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    form.reset({ trackingNumber: tracking.trackingNumber, carrier: tracking.carrier ?? '' })
    draft.forget()
  }

  return (
    <Form form={form} onSubmit={submit} {...(onMissing && { onRefused: onMissing })} className="grid gap-5">
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <Field label="Tracking Number" optional={isLabelledOptional} {...form.field('trackingNumber')}>
          <Input
            required={!isLabelledOptional}
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
      {children}
      <Button type="submit" kind={kind} busy={save.busy} className="justify-self-start">
        {save.busy ? 'Saving...' : button}
      </Button>
    </Form>
  )
}

const missingNumber = ({ trackingNumber }: { trackingNumber: string }) => ({
  trackingNumber: trackingNumber.trim() === '' ? MISSING_NUMBER : undefined,
})
