import { routes } from 'virtual:routes'
import type { Transaction } from '@holdfast/contracts/transactions'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { Button } from '../../components/button.js'
import { Facts } from '../../components/facts.js'
import { Money } from '../../components/money.js'
import { request, serverWords } from '../../lib/api.js'
import { classes } from '../../lib/class-names.js'
import { fullName } from '../../lib/current-user.js'
import { paths } from '../../lib/paths.js'
import { toast, toastError } from '../../lib/toast.js'
import { DealBadge } from '../deal/shared/deal-badge.js'
import { complete, type DisputeDraft } from './dispute-draft.js'
import { DisputeFields } from './dispute-fields.js'
import { reasonLabel, WIZARD_REASONS } from './dispute-labels.js'
import { refreshDisputes } from './use-disputes.js'

interface StepProps {
  draft: DisputeDraft
  onChange: (draft: DisputeDraft) => void
  onBack: () => void
  onContinue: () => void
}

interface SelectStepProps extends StepProps {
  deals: readonly Transaction[]
  userId: string
}

export function SelectStep({ draft, onChange, onContinue, deals, userId }: SelectStepProps) {
  return (
    <div>
      <fieldset className="grid gap-3">
        <legend className="sr-only">Select the transaction</legend>
        {deals.map(deal => (
          <label
            key={deal.id}
            className={classes(
              'flex flex-wrap items-center gap-x-4 gap-y-1 rounded-lg border p-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
              draft.transactionId === deal.id ? 'border-ink inset-ring inset-ring-ink' : 'border-edge hover:border-ink',
            )}
          >
            <input
              type="radio"
              name="transaction"
              checked={draft.transactionId === deal.id}
              onChange={() => onChange({ ...draft, transactionId: deal.id })}
              className="size-5 accent-ink outline-none"
            />
            <span className="min-w-0 flex-1 basis-52">
              <span className="block font-semibold">{deal.listing.title}</span>
              <span className="text-sm text-ink-soft">{partyLine(deal, userId)}</span>
            </span>
            <DealBadge status={deal.status} />
            <Money amount={deal.amount} currency={deal.currency} className="font-semibold" />
          </label>
        ))}
      </fieldset>
      <div className="mt-8 flex gap-3 border-t border-rule pt-6">
        <Button disabled={draft.transactionId === null} onClick={onContinue}>
          Continue
        </Button>
      </div>
    </div>
  )
}

const partyLine = ({ buyerId, buyer, seller }: Transaction, userId: string) =>
  buyerId === userId ? `Purchased from ${fullName(seller)}` : `Sold to ${fullName(buyer)}`

export function DetailsStep({ draft, onChange, onBack, onContinue }: StepProps) {
  return (
    <div className="grid gap-5">
      <DisputeFields reasons={WIZARD_REASONS} draft={draft} onChange={onChange} rows={7} />
      <div className="mt-3 flex gap-3 border-t border-rule pt-6">
        <Button kind="quiet" onClick={onBack}>
          Back
        </Button>
        <Button disabled={!complete(draft)} onClick={onContinue}>
          Review
        </Button>
      </div>
    </div>
  )
}

interface ReviewStepProps extends StepProps {
  deal: Transaction | undefined
  onFiled: () => void
}

export function ReviewStep({ draft, onBack, deal, onFiled }: ReviewStepProps) {
  const { submit, busy } = useFiling(draft, onFiled)
  return (
    <div className="grid gap-6">
      <Facts
        facts={[
          { label: 'Transaction', value: deal?.listing.title ?? `#${draft.transactionId}` },
          { label: 'Reason', value: reasonLabel(draft.reason) },
        ]}
      />
      <div>
        <h3 className="text-sm font-semibold">Description</h3>
        <p className="mt-1 max-w-prose typed">{draft.description}</p>
      </div>
      <p className="text-ink-soft">
        Once you submit, every clock of this transaction stops. Initial review takes 24-48 hours.
      </p>
      <div className="flex gap-3 border-t border-rule pt-6">
        <Button kind="quiet" onClick={onBack} disabled={busy}>
          Back
        </Button>
        <Button busy={busy} onClick={submit}>
          {busy ? 'Submitting...' : 'Submit Dispute'}
        </Button>
      </div>
    </div>
  )
}

function useFiling(draft: DisputeDraft, onFiled: () => void) {
  const [busy, setBusy] = useState(false)
  const navigate = useNavigate()

  async function submit() {
    const body = complete(draft)
    if (!body) {
      toastError('Missing information', 'Please fill in all required fields.')
      return
    }
    setBusy(true)
    try {
      await request(routes.fileDispute, { body })
      onFiled()
      await refreshDisputes()
      toast('Dispute filed successfully', 'Every clock of the transaction has stopped.')
      await navigate(paths.disputes)
    } catch (error) {
      const text = 'There was an error submitting your dispute. Please try again.'
      toastError('Error filing dispute', serverWords(error, '') === '' ? text : `${text} ${serverWords(error, '')}`)
      setBusy(false)
    }
  }

  return { submit, busy }
}
