import { routes } from 'virtual:routes'
import { MAX_CARRIER_LENGTH, MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import { Button } from '../../../components/button.js'
import { Field } from '../../../components/field.js'
import { Form } from '../../../components/form.js'
import { Input } from '../../../components/input.js'
import { TextLink } from '../../../components/link.js'
import { refusedFields } from '../../../lib/command-outcome.js'
import { useForm } from '../../../lib/form/use-form.js'
import { paths } from '../../../lib/paths.js'
import { useDraft } from '../../../lib/use-draft.js'
import { type CaseProps, paramsOf, useCaseCommand } from './case.js'

interface Shipping {
  readonly trackingNumber: string
  readonly carrier: string
}

/** The form in which the buyer says how the item travels back, or corrects it. */
export function ReturnForm({ dispute }: CaseProps) {
  const { return: shipment, seller } = dispute
  const isSent = Boolean(shipment?.shippedAt)
  const draft = useDraft<Shipping>(`return:${dispute.id}`, {
    trackingNumber: shipment?.trackingNumber ?? '',
    carrier: shipment?.carrier ?? '',
  })
  const form = useForm<Shipping>({
    initial: draft.value,
    validate: ({ trackingNumber }) => ({
      trackingNumber: trackingNumber.trim() === '' ? 'Please enter a tracking number.' : undefined,
    }),
    onChange: draft.set,
  })
  const ship = useCaseCommand(routes.shipReturn, dispute, {
    whether: 'the tracking number was saved',
    done: ['Return saved', `${seller.firstName} sees the tracking number.`],
    refused: 'The tracking number was not saved',
  })
  async function submit({ trackingNumber, carrier }: Shipping) {
    const body = { trackingNumber: trackingNumber.trim(), carrier: carrier.trim() || null }
    const outcome = await ship.give({ params: paramsOf(dispute), body })
    if (outcome?.kind !== 'done') return refusedFields(outcome)
    form.reset({ trackingNumber: body.trackingNumber, carrier: body.carrier ?? '' })
    draft.forget()
  }
  return (
    <Form form={form} onSubmit={submit} className="grid gap-4">
      {!isSent && (
        <p className="max-w-text text-ink-soft">
          Ask {seller.firstName} for the address in the{' '}
          <TextLink to={`${paths.transaction(dispute.transactionId)}#messages`}>chat of the transaction</TextLink>. Send
          it with a tracking number, so that the carrier can say when it arrived.
        </p>
      )}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Tracking Number" {...form.field('trackingNumber')}>
          <Input
            required
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
      <Button type="submit" kind={isSent ? 'quiet' : 'primary'} busy={ship.busy} className="justify-self-start">
        {ship.busy ? 'Saving...' : isSent ? 'Correct the Number' : 'I Have Sent It Back'}
      </Button>
    </Form>
  )
}
