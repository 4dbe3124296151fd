import type { SavedCard } from '@holdfast/contracts/payment-methods'
import type { ReactNode } from 'react'
import { Button } from '../../../components/button.js'
import { confirmWith } from '../provider.js'
import { type CardOutcome, useCardOutcome } from './card-outcome.js'
import { useShownOutcome } from './shown-outcome.js'

interface SavedCardButtonProps extends CardOutcome {
  readonly card: SavedCard
  readonly label: string
  readonly returnPath: string
  /** How the last card ended, above the button. */
  readonly shown?: ReactNode
}

/** Pays with a saved card. Where its bank wants to ask the holder, the browser goes to the bank's page first. */
export function SavedCardButton({ card, label, returnPath, shown, ...outcome }: SavedCardButtonProps) {
  const { busy, give } = useCardOutcome(outcome)
  const returnUrl = new URL(returnPath, location.origin).href
  return (
    <div className="grid gap-5">
      {shown}
      <Button
        size="lg"
        busy={busy}
        className="w-full"
        onClick={() => void give(() => confirmWith(outcome.at, card.id, returnUrl))}
      >
        {busy ? 'Processing...' : label}
      </Button>
    </div>
  )
}

/** The same for a subscription. It also shows the outcome of the last card. */
export function SavedCardEntry(
  props: Omit<SavedCardButtonProps, 'onRefused' | 'onUnknown' | 'shown'> & { readonly problem?: string | null },
) {
  const { problem = null, ...rest } = props
  const { shown, outcome } = useShownOutcome(problem, props.onDone)
  return <SavedCardButton {...rest} {...outcome} shown={shown} />
}
