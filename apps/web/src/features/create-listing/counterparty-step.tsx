import type { PublicUser } from '@holdfast/contracts/users'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/button.js'
import { StepActions } from '../../components/wizard.js'
import { Person } from '../profile/shared/person.js'
import { UserSearch } from '../profile/shared/user-search.js'

interface CounterpartyStepProps {
  selected: PublicUser | null
  onSelect: (user: PublicUser | null) => void
  onSkip: () => void
  onContinue: () => void
}

/** Step 1: with whom, if that is known already. */
export function CounterpartyStep({ selected, onSelect, onSkip, onContinue }: CounterpartyStepProps) {
  const choice = useFocusOnChange(selected)
  return (
    <div>
      <p className="max-w-text text-ink-soft">
        Choose the other side if you have already agreed with them: the transaction then opens for the two of you alone.
        Skip this step to offer the item to everybody.
      </p>
      <div ref={choice} tabIndex={-1} className="mt-6 outline-none">
        {selected ? (
          <section aria-label="Selected user" className="rounded-lg border border-ink p-4 sm:p-5">
            <p className="mb-3 text-sm font-semibold">Selected User</p>
            <div className="flex flex-wrap items-center justify-between gap-4">
              <Person user={selected} />
              <Button kind="quiet" size="sm" onClick={() => onSelect(null)}>
                Choose Someone Else
              </Button>
            </div>
          </section>
        ) : (
          <UserSearch onSelect={onSelect} />
        )}
      </div>
      <div className="mt-10">
        <StepActions
          back={
            // It would undo the choice of a user. So it is not offered until "Choose Someone Else" was pressed.
            !selected && (
              <Button kind="quiet" onClick={onSkip}>
                Skip This Step
              </Button>
            )
          }
          next={
            <Button disabled={!selected} onClick={onContinue}>
              Continue
            </Button>
          }
        />
      </div>
    </div>
  )
}

/** What was pressed to choose, or to choose again, is gone with the choice: the keyboard goes on from what replaced it. */
function useFocusOnChange(selected: PublicUser | null) {
  const choice = useRef<HTMLDivElement>(null)
  const shown = useRef(selected)
  useEffect(() => {
    if (shown.current === selected) return
    shown.current = selected
    const next = selected ? choice.current : choice.current?.querySelector('input')
    next?.focus()
  }, [selected])
  return choice
}
