import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { MAX_CARRIER_LENGTH, MAX_TRACKING_NUMBER_LENGTH } from '@holdfast/kernel/tracking'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { Panel } from '../../components/panel.js'
import { fieldErrors, request, serverWords } from '../../lib/api.js'
import { refreshAfter } from '../../lib/live/changes.js'
import { toast, toastError } from '../../lib/toast.js'
import { useDraft } from '../../lib/use-draft.js'
import { TrackingNumber } from './shared/tracking-number.js'

const MISSING_NUMBER = 'Please enter a tracking number.'

/** The seller's word on how the item travels; everybody else, and a deal that takes none, reads what was said. */
export function ShippingForm({ transaction }: { transaction: Transaction }) {
  return (
    <Panel>
      <h2 className="display mb-4 text-xl">Shipping Information</h2>
      {transaction.actions.includes('save_tracking') ? (
        <EditableShipping key={transaction.id} transaction={transaction} />
      ) : (
        <ReadOnlyShipping transaction={transaction} />
      )}
    </Panel>
  )
}

function EditableShipping({ transaction }: { transaction: Transaction }) {
  const saved = { trackingNumber: transaction.trackingNumber ?? '', carrier: transaction.carrier ?? '' }
  const { value: draft, set: setDraft, forget } = useDraft(`shipping:${transaction.id}`, saved)
  const { trackingNumber, carrier } = draft
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [saving, setSaving] = useState(false)

  async function save(event: FormEvent) {
    event.preventDefault()
    const body = { trackingNumber: trackingNumber.trim(), carrier: carrier.trim() || null }
    if (body.trackingNumber === '') {
      setErrors({ trackingNumber: MISSING_NUMBER })
      toastError('Error', MISSING_NUMBER)
      return
    }
    setSaving(true)
    setErrors({})
    try {
      await request(routes.saveTracking, { params: { id: String(transaction.id) }, body })
      setDraft({ trackingNumber: body.trackingNumber, carrier: body.carrier ?? '' })
      forget()
      toast('Tracking Updated', 'Tracking information has been saved successfully.')
    } catch (error) {
      setErrors(fieldErrors(error))
      toastError('Error', serverWords(error, 'Failed to update tracking information.'))
    }
    await refreshAfter({ kind: 'transaction', transactionId: transaction.id })
    setSaving(false)
  }

  return (
    <form onSubmit={event => void save(event)} noValidate className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Tracking Number" optional error={errors.trackingNumber}>
          <Input
            name="trackingNumber"
            value={trackingNumber}
            onChange={event => setDraft({ ...draft, trackingNumber: event.target.value })}
            maxLength={MAX_TRACKING_NUMBER_LENGTH}
            autoComplete="off"
            autoCapitalize="characters"
            className="figures"
          />
        </Field>
        <Field label="Carrier (e.g. UPS, FedEx, USPS)" optional error={errors.carrier}>
          <Input
            name="carrier"
            value={carrier}
            onChange={event => setDraft({ ...draft, carrier: event.target.value })}
            maxLength={MAX_CARRIER_LENGTH}
            autoComplete="off"
          />
        </Field>
      </div>
      <p className="text-sm text-ink-soft">
        {transaction.status === 'shipped'
          ? 'While the item travels you can correct the number.'
          : `Saving a number says that you have shipped. Without a carrier, hand the item over in person from the transaction page instead.`}
      </p>
      <Button type="submit" busy={saving} className="justify-self-start">
        {saving ? 'Saving...' : 'Save Tracking Info'}
      </Button>
    </form>
  )
}

function ReadOnlyShipping({ transaction }: { transaction: Transaction }) {
  const { trackingNumber, carrier, viewerRole, seller } = transaction
  if (trackingNumber) {
    return (
      <Facts
        facts={[
          { label: 'Tracking Number', value: <TrackingNumber number={trackingNumber} /> },
          { label: 'Carrier', value: carrier ?? 'Not specified' },
        ]}
      />
    )
  }
  return <p className="text-ink-soft">{nothingShipped(transaction.status, viewerRole, seller.firstName)}</p>
}

function nothingShipped(status: Transaction['status'], viewerRole: Transaction['viewerRole'], seller: string): string {
  const isSeller = viewerRole === 'seller'
  switch (status) {
    case 'pending':
    case 'secured':
      return isSeller
        ? 'Do not ship yet: the payment has not arrived. You can enter tracking once the money is held.'
        : 'The item is shipped once your payment is held.'
    case 'paid':
      return `${seller} has not shipped yet. A tracking number shows here when it is entered.`
    case 'in_progress':
      return `${seller} hands the item over in person, so there is no tracking number.`
    default:
      return 'No tracking number was entered for this transaction.'
  }
}
