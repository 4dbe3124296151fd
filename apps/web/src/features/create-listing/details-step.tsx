import type { PublicUser } from '@holdfast/contracts/users'
import type { FormEvent } from 'react'
import { Button, ButtonLink } from '../../components/button.js'
import { Switch } from '../../components/checkbox.js'
import { ItemFields } from '../../components/item-fields.js'
import { Notice } from '../../components/notice.js'
import { Segmented } from '../../components/segmented.js'
import { TermsFields } from '../../components/terms-fields.js'
import { fullName } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { useFieldErrors } from '../../lib/use-field-errors.js'
import { ImagePicker } from './image-picker.js'
import { type DetailErrors, type ListingDetails, validateDetails } from './listing-draft.js'

interface DetailsStepProps {
  details: ListingDetails
  counterparty: PublicUser | null
  onChange: (change: (details: ListingDetails) => ListingDetails) => void
  onBack: () => void
  /** It is left for good: nothing of it is kept. */
  onCancel: () => void
  onContinue: () => void
}

const ROLES = [
  { value: 'buyer', label: 'Buyer' },
  { value: 'seller', label: 'Seller' },
] as const

/** Step 2: what is sold, and on which terms. */
export function DetailsStep({ details, counterparty, onChange, onBack, onCancel, onContinue }: DetailsStepProps) {
  const { form, errors, tell, forgive } = useFieldErrors<DetailErrors>()
  const set = (change: Partial<ListingDetails>) => {
    onChange(before => ({ ...before, ...change }))
    forgive(Object.keys(change))
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!tell(validateDetails(details, counterparty))) onContinue()
  }

  return (
    <form ref={form} noValidate onSubmit={submit} className="grid gap-8">
      <div>
        <Segmented
          legend="Your role"
          options={ROLES}
          value={details.userRole}
          onChange={userRole => set({ userRole })}
        />
        <p className="mt-2 text-sm text-ink-soft">{roleSentence(details, counterparty)}</p>
        {errors.userRole && (
          <div className="mt-3">
            <Notice
              tone="trouble"
              alert
              title={errors.userRole}
              action={
                <Button kind="quiet" size="sm" onClick={onBack}>
                  Choose the Seller
                </Button>
              }
            />
          </div>
        )}
      </div>
      <ItemFields details={details} errors={errors} set={set} />
      <ImagePicker
        images={details.images}
        onChange={change => onChange(before => ({ ...before, images: change(before.images) }))}
      />
      <TermsFields details={details} set={set} />
      <Switch
        label="Private"
        hint={counterparty ? `Only you and ${fullName(counterparty)} can see it.` : privacyHint(details.isPrivate)}
        // What is agreed with one person is between the two, whatever one chooses here.
        checked={details.isPrivate || counterparty !== null}
        disabled={counterparty !== null}
        onChange={event => set({ isPrivate: event.target.checked })}
      />
      <div className="flex flex-wrap gap-3 border-t border-rule pt-6">
        <Button kind="quiet" onClick={onBack}>
          Back to User Search
        </Button>
        <ButtonLink kind="quiet" to={paths.dashboard} onClick={onCancel}>
          Cancel
        </ButtonLink>
        <Button type="submit">Continue to Legal Documents</Button>
      </div>
    </form>
  )
}

function roleSentence({ userRole }: ListingDetails, counterparty: PublicUser | null): string {
  if (userRole === 'buyer') {
    return counterparty
      ? `${fullName(counterparty)} sells to you, and you pay into the hold.`
      : 'As a buyer you need to choose the seller first.'
  }
  return counterparty
    ? `You sell to ${fullName(counterparty)}. The transaction opens at once, and they are asked to pay.`
    : 'You sell to whoever buys it first.'
}

const privacyHint = (isPrivate: boolean) =>
  isPrivate
    ? 'Only you can see it, and nobody can buy it: inviting people is not possible yet.'
    : 'Everybody can find it and buy it.'
