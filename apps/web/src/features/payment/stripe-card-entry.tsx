import { CardNumberElement, useElements, useStripe } from '@stripe/react-stripe-js'
import type { StripeError } from '@stripe/stripe-js'
import { Button } from '../../components/button.js'
import { Form } from '../../components/form.js'
import { useForm } from '../../lib/form/use-form.js'
import { type IntentState, ProviderRefusal, ProviderSilence } from './provider.js'
import type { CardEntryProps } from './shared/card-entry.types.js'
import { useCardOutcome } from './shared/card-outcome.js'
import { useShownOutcome } from './shared/shown-outcome.js'
import {
  EMPTY_STRIPE_VALUES,
  isStripeSilence,
  StripeElements,
  StripeFields,
  type StripeValues,
  stripeFaults,
} from './stripe-fields.js'

/** The card form for subscriptions and for cards to save, with Stripe's own fields. */
export default function StripeCardEntry(props: CardEntryProps) {
  return (
    <StripeElements publishableKey={props.at.publishableKey}>
      <Entry {...props} />
    </StripeElements>
  )
}

function Entry({ at, label, returnPath, onDone, onBusy, problem = null }: CardEntryProps) {
  const stripe = useStripe()
  const elements = useElements()
  const form = useForm({ initial: EMPTY_STRIPE_VALUES, validate: stripeFaults })
  const { shown, outcome } = useShownOutcome(problem, onDone)
  const { busy, give } = useCardOutcome({ at, onBusy, ...outcome })

  async function confirm({ name }: StripeValues): Promise<IntentState> {
    const card = elements?.getElement(CardNumberElement)
    if (!stripe || !card) throw new Error('the card fields are not there')
    const method = { payment_method: { card, billing_details: { name: name.trim() } } }
    const { clientSecret } = at
    const { error } = clientSecret.startsWith('seti_')
      ? await stripe.confirmCardSetup(clientSecret, method)
      : await stripe.confirmCardPayment(clientSecret, {
          ...method,
          return_url: new URL(returnPath, location.origin).href,
        })
    if (error) throw asProviderError(error)
    return { kind: 'succeeded' }
  }

  return (
    <Form form={form} onSubmit={values => give(() => confirm(values))} className="grid gap-5">
      {shown}
      <StripeFields form={form} />
      <Button type="submit" size="lg" busy={busy} disabled={!stripe} className="w-full">
        {busy ? 'Processing...' : label}
      </Button>
    </Form>
  )
}

const asProviderError = (error: StripeError) =>
  isStripeSilence(error)
    ? new ProviderSilence('the payment provider did not answer', { cause: error })
    : new ProviderRefusal(error.message ?? '', error.type === 'card_error')
