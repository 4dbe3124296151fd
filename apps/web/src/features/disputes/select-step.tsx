import type { Transaction } from '@holdfast/contracts/transactions'
import { Button } from '../../components/button.js'
import { ShowMore } from '../../components/show-more.js'
import { StepActions } from '../../components/wizard.js'
import { classes } from '../../lib/class-names.js'
import { fullName } from '../../lib/current-user.js'
import { DealBadge } from '../deal/shared/deal-badge.js'
import type { StepProps } from './dispute-form.js'
import { Held } from './held.js'
import type { DisputableDeals } from './use-disputes.js'

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
