import { MAX_CARRIER_LENGTH, MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
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
  /** What this form has changed: only that is written over a newer number. */
  readonly changed: (keyof Fields)[]
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

const FIELDS = ['trackingNumber', 'carrier'] as const

/** What the fields hold. */
type Fields = Readonly<Record<(typeof FIELDS)[number], string>>

/** What was typed, and what was saved then. */
interface Draft {
  readonly typed: Fields
  readonly over: Fields
}
/** The draft was only what was typed before. */
const VERSION = 2

/** The form in which somebody who has sent a parcel saves or corrects its tracking number and carrier. */
export function TrackingForm(props: TrackingFormProps) {
  const { save, isLabelledOptional = false, button, kind = 'primary', onMissing, children } = props
  const saved: Fields = {
    trackingNumber: props.saved?.trackingNumber ?? '',
    carrier: props.saved?.carrier ?? '',
  }
  const draft = useDraft<Draft>(props.draft, { typed: saved, over: saved }, VERSION)
  const form = useForm<Fields>({
    initial: withSaved(draft.value, saved),
    validate: missingNumber,
    onChange: typed => draft.set({ typed, over: saved }),
  })
  // Another tab may save meanwhile.
  const follow = useEffectEvent(() => {
    const typed = withSaved({ typed: form.values, over: draft.value.over }, saved)
    for (const name of FIELDS) if (typed[name] !== form.values[name]) form.set(name, typed[name])
    draft.set({ typed, over: saved })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is saved has changed
  useEffect(() => follow(), [saved.trackingNumber, saved.carrier])

  async function submit(typed: Fields) {
    const changed = FIELDS.filter(name => typed[name] !== saved[name])
    const tracking = { trackingNumber: typed.trackingNumber.trim(), carrier: typed.carrier.trim() || null }
    const outcome = await save.give({ ...tracking, changed })
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    for (const name of changed) form.set(name, tracking[name] ?? '')
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

/** What was typed, and what is saved now in a field in which nothing was typed. */
const withSaved = ({ typed, over }: Draft, saved: Fields): Fields => ({
  trackingNumber: typed.trackingNumber === over.trackingNumber ? saved.trackingNumber : typed.trackingNumber,
  carrier: typed.carrier === over.carrier ? saved.carrier : typed.carrier,
})

const missingNumber = ({ trackingNumber }: Fields) => ({
  trackingNumber: trackingNumber.trim() === '' ? MISSING_NUMBER : undefined,
})
