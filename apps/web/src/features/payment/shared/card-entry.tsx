import { lazy, Suspense, useState } from 'react'
import { Button } from '../../../components/button.js'
import { Form } from '../../../components/form.js'
import { Notice } from '../../../components/notice.js'
import { useForm } from '../../../lib/form/use-form.js'
import { toastError } from '../../../lib/toast.js'
import { CardFields } from '../card-fields.js'
import { CardFormSkeleton } from '../card-form-skeleton.js'
import { type CardDetails, cardErrors } from '../card-format.js'
import { Declined } from '../declined.js'
import { isStripeItself, type ProviderPayment, payByCard } from '../provider.js'
import { TestCardHint } from '../test-card-hint.js'
import { useCardOutcome } from './card-outcome.js'

// Stripe's script comes from Stripe and sets cookies. So it is loaded only where Stripe is the provider.
const StripeCardEntry = lazy(async () => ({ default: (await import('../stripe-card-entry.js')).StripeCardEntry }))

export interface CardEntryProps {
  readonly at: ProviderPayment
  /** The words of the button, such as `Pay $30.00` or `Save Card`. */
  readonly label: string
  /** The page to which the holder's bank leads back. */
  readonly returnPath: string
  /** The provider's refusal of the last card; null when there is none. */
  readonly problem?: string | null
  readonly onDone: () => void
  /** As in `CardOutcome`. */
  readonly onBusy?: ((busy: boolean) => void) | undefined
}

export const CARD_FAILED = 'There was an error processing your payment.'

/** A card form that pays no deal, but a subscription, or saves a card. The card goes from the browser straight to the provider. */
export function CardEntry(props: CardEntryProps) {
  return isStripeItself(props.at.providerUrl) ? (
    <Suspense fallback={<CardFormSkeleton />}>
      <StripeCardEntry {...props} />
    </Suspense>
  ) : (
    <ApiCardEntry {...props} />
  )
}

const EMPTY: CardDetails = { cardNumber: '', expiry: '', cvv: '', name: '' }

function ApiCardEntry({ at, label, returnPath, onDone, onBusy, problem = null }: CardEntryProps) {
  const form = useForm({ initial: EMPTY, validate: card => cardErrors(card, new Date()) })
  const { shown, outcome } = useShownOutcome(problem, onDone)
  const { busy, give } = useCardOutcome({ at, onBusy, ...outcome })
  const returnUrl = new URL(returnPath, location.origin).href
  return (
    <Form form={form} onSubmit={card => give(() => payByCard(at, card, returnUrl))} className="grid gap-5">
      {shown}
      <CardFields form={form} />
      <TestCardHint />
      <Button type="submit" size="lg" busy={busy} className="w-full">
        {busy ? 'Processing...' : label}
      </Button>
    </Form>
  )
}

/** Shows how the last card ended: refused with the provider's words, or not known. */
export function useShownOutcome(problem: string | null, onDone: () => void) {
  const [declined, setDeclined] = useState(problem)
  const [isUnknown, setUnknown] = useState(false)
  const shown = isUnknown ? (
    <Notice tone="trouble" alert title="The payment provider does not answer">
      Whether your card was taken is not known yet. Load this page again in a moment: it then shows what is true, and
      nothing is charged twice.
    </Notice>
  ) : (
    declined !== null && <Declined words={declined} />
  )
  const outcome = {
    onDone,
    onRefused(words: string | null) {
      setUnknown(false)
      setDeclined(words || CARD_FAILED)
      toastError('Payment Failed', words || CARD_FAILED)
    },
    onUnknown: () => setUnknown(true),
  }
  return { shown, outcome }
}
