import { displayAmount } from '@holdfast/kernel/money'
import { CardNumberElement, useElements, useStripe } from '@stripe/react-stripe-js'
import { useState } from 'react'
import { Button } from '../../components/button.js'
import { Form } from '../../components/form.js'
import { useForm } from '../../lib/form/use-form.js'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { endAttempt } from './attempt-key.js'
import type { CardFormProps } from './card-form.types.js'
import { Declined } from './declined.js'
import {
  EMPTY_STRIPE_VALUES,
  isStripeSilence,
  StripeElements,
  StripeFields,
  type StripeValues,
  stripeFaults,
} from './stripe-fields.js'
import { showAfterCard } from './use-payment.js'

const FAILED = 'There was an error processing your payment.'

/** Paying a deal with Stripe's own card fields. */
export default function StripeCardForm(props: CardFormProps) {
  return (
    <StripeElements publishableKey={props.payment.publishableKey}>
      <CardForm {...props} />
    </StripeElements>
  )
}

function CardForm({ deal, payment, problem, onStage }: CardFormProps) {
  const stripe = useStripe()
  const elements = useElements()
  const form = useForm({ initial: EMPTY_STRIPE_VALUES, validate: stripeFaults })
  const [declined, setDeclined] = useState(problem)
  const [busy, setBusy] = useState(false)

  async function pay({ name }: StripeValues) {
    const card = elements?.getElement(CardNumberElement)
    if (!stripe || !card) return
    setBusy(true)
    setDeclined(null)
    const { error, paymentIntent } = await stripe.confirmCardPayment(payment.clientSecret, {
      payment_method: { card, billing_details: { name: name.trim() } },
      return_url: new URL(paths.sendFunds(deal.id), location.origin).href,
    })
    if (!error && paymentIntent) onStage({ name: 'confirming', payment })
    // Stripe has found the card incomplete and sent nothing: the attempt goes on.
    else if (error?.type === 'validation_error') {
      setBusy(false)
      setDeclined(error.message || FAILED)
    } else {
      const refusal = error && isStripeSilence(error) ? null : (error?.message ?? null)
      await showAfterCard(deal.id, payment, refusal, { onStage, onRefused: refuse })
    }
  }

  function refuse(reason: string | null) {
    const words = reason || FAILED
    setBusy(false)
    setDeclined(words)
    endAttempt(deal.id, 'card')
    toastError('Payment Failed', words)
  }

  return (
    <Form form={form} onSubmit={pay} className="grid gap-5">
      {declined && <Declined words={declined} />}
      <StripeFields form={form} />
      <Button type="submit" size="lg" busy={busy} disabled={!stripe} className="w-full">
        {busy ? 'Processing...' : `Pay ${displayAmount(payment.total, payment.currency)}`}
      </Button>
    </Form>
  )
}
