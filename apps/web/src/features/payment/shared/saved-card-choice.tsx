import { routes } from 'virtual:routes'
import type { SavedCard } from '@holdfast/contracts/payment-methods'
import { type ReactNode, useState } from 'react'
import { useCall } from '../../../lib/use-call.js'
import { CardFormSkeleton } from '../card-form-skeleton.js'
import { cardExpiry, cardName } from './card-words.js'

interface SavedCardChoiceProps {
  /** What pays with a saved card. */
  saved: (card: SavedCard) => ReactNode
  /** The form for another card. */
  children: ReactNode
}

const OTHER = 'other'

/** Lets the user choose a saved card or another one. Without a saved card, or while the cards cannot be read, only the form is shown. */
export function SavedCardChoice({ saved, children }: SavedCardChoiceProps) {
  const { data: cards, error } = useCall(routes.listPaymentMethods, {})
  const [chosen, setChosen] = useState<string | null>(null)
  if (!cards && !error) return <CardFormSkeleton />
  if (!cards || cards.length === 0) return children
  const value = chosen ?? cards[0]!.id
  const card = cards.find(({ id }) => id === value)
  return (
    <div className="grid gap-6">
      <fieldset>
        <legend className="mb-2 text-sm font-semibold">Card</legend>
        <div className="divide-y divide-rule border-y border-rule">
          {cards.map(each => (
            <Choice key={each.id} value={each.id} chosen={value} onChoose={setChosen}>
              {cardName(each)}
              <span className="text-ink-soft">{cardExpiry(each)}</span>
            </Choice>
          ))}
          <Choice value={OTHER} chosen={value} onChoose={setChosen}>
            Another card
          </Choice>
        </div>
      </fieldset>
      {card ? saved(card) : children}
    </div>
  )
}

interface ChoiceProps {
  value: string
  chosen: string
  onChoose: (value: string) => void
  children: ReactNode
}

function Choice({ value, chosen, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 py-2">
      <input
        type="radio"
        name="card"
        value={value}
        checked={value === chosen}
        onChange={() => onChoose(value)}
        className="size-4 accent-ink"
      />
      <span className="figures flex flex-1 flex-wrap justify-between gap-x-4">{children}</span>
    </label>
  )
}
