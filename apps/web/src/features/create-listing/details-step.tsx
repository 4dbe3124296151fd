import type { PublicUser } from '@holdfast/contracts/users'
import type { PartyRole } from '@holdfast/kernel/deals'
import { MAX_IMAGES } from '@holdfast/kernel/images'
import { Button, ButtonLink } from '../../components/button.js'
import { Switch } from '../../components/checkbox.js'
import { Form } from '../../components/form.js'
import { ImagePicker } from '../../components/image-picker.js'
import { Segmented } from '../../components/segmented.js'
import { StepActions } from '../../components/wizard.js'
import { fullName } from '../../lib/current-user.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { ItemFields } from '../listings/shared/item-fields.js'
import { TermsFields } from '../listings/shared/terms-fields.js'
import { type ListingDetails, validateDetails } from './listing-draft.js'

interface DetailsStepProps {
  details: ListingDetails
  counterparty: PublicUser | null
  /** What the server refused when the draft was sent before. */
  refused: Readonly<Record<string, string>>
  onChange: (change: (details: ListingDetails) => ListingDetails) => void
  onBack: () => void
  /** The draft is given up: nothing of it is kept. */
  onCancel: () => void
  onContinue: () => void
}

const ROLES = [
  { value: 'buyer', label: 'Buyer' },
  { value: 'seller', label: 'Seller' },
] as const

/** Step 2: what is sold, and on which terms. */
export default function DetailsStep(props: DetailsStepProps) {
  const { details, counterparty, refused, onChange, onBack, onCancel, onContinue } = props
  // Pictures go past the form: they are scaled in the background, and the step may be left meanwhile.
  const { images, ...fields } = details
  const form = useForm<Omit<ListingDetails, 'images'>>({
    initial: fields,
    refused,
    validate: values => validateDetails(values, counterparty),
    onChange: values => onChange(before => ({ ...values, images: before.images })),
  })
  const { userRole, isPrivate, inspectionPeriod } = form.values
  return (
    <Form form={form} onSubmit={async () => onContinue()} className="grid gap-8">
      <div>
        <Segmented
          legend="Your role"
          options={ROLES}
          value={userRole}
          onChange={role => form.set('userRole', role)}
          error={form.error('userRole')}
        />
        <p className="mt-2 text-sm text-ink-soft">{roleSentence(userRole, counterparty)}</p>
        {form.error('userRole') && (
          <Button kind="quiet" size="sm" onClick={onBack} className="mt-3">
            Choose the Seller
          </Button>
        )}
      </div>
      <ItemFields field={form.field} price={form.values.price} />
      <ImagePicker
        images={images}
        max={MAX_IMAGES}
        firstIs="Shown first"
        onChange={change => onChange(before => ({ ...before, images: change(before.images) }))}
      />
      <TermsFields field={form.field} inspectionPeriod={inspectionPeriod} />
      <Switch
        label="Private"
        hint={counterparty ? `Only you and ${fullName(counterparty)} can see it.` : privacyHint(isPrivate)}
        // What is agreed with one person is between the two, whatever one chooses here.
        checked={isPrivate || counterparty !== null}
        disabled={counterparty !== null}
        onChange={event => form.set('isPrivate', event.target.checked)}
      />
      <StepActions
        back={
          <>
            <Button kind="quiet" onClick={onBack}>
              Back to User Search
            </Button>
            <ButtonLink kind="quiet" to={paths.dashboard} onClick={onCancel}>
              Cancel
            </ButtonLink>
          </>
        }
        next={<Button type="submit">Continue to Legal Documents</Button>}
      />
    </Form>
  )
}

function roleSentence(userRole: PartyRole, counterparty: PublicUser | null): string {
  if (userRole === 'buyer') {
    return counterparty
      ? `${fullName(counterparty)} sells to you, and you pay into the hold.`
      : 'As a buyer you need to choose the seller first.'
  }
  return counterparty
    ? `You sell to ${fullName(counterparty)}. The transaction opens at once, and they are asked to pay.`
    : 'You sell to the first person who buys it.'
}

const privacyHint = (isPrivate: boolean) =>
  isPrivate
    ? 'Only you and people whom you invite on its page see it, and they can buy it.'
    : 'Everybody can find it and buy it. A private listing is seen only by you and by people whom you invite.'
