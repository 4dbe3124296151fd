import { lazy, Suspense } from 'react'
import { Button } from '../../../components/button.js'
import { Form } from '../../../components/form.js'
import { useForm } from '../../../lib/form/use-form.js'
import { CardFields } from '../card-fields.js'
import { CardFormSkeleton } from '../card-form-skeleton.js'
import { type CardDetails, cardErrors } from '../card-format.js'
import { isStripeItself, payByCard } from '../provider.js'
import { TestCardHint } from '../test-card-hint.js'
import type { CardEntryProps } from './card-entry.types.js'
import { useCardOutcome } from './card-outcome.js'
import { useShownOutcome } from './shown-outcome.js'

// Stripe's script comes from Stripe and sets cookies. So it is loaded only where Stripe is the provider.
const StripeCardEntry = lazy(() => import('../stripe-card-entry.js'))

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
