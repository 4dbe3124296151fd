import { displayAmount } from '@holdfast/kernel/money'
import {
  CardCvcElement,
  CardExpiryElement,
  CardNumberElement,
  Elements,
  useElements,
  useStripe,
} from '@stripe/react-stripe-js'
import type { StripeCardNumberElementOptions, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { Button } from '../../components/button.js'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { LoadError } from '../../components/load-error.js'
import { paths } from '../../lib/paths.js'
import { toastError } from '../../lib/toast.js'
import { endAttempt } from './attempt-key.js'
import type { CardFormProps } from './card-form.types.js'
import { Declined } from './declined.js'
import { stageOf } from './use-payment.js'

const FAILED = 'There was an error processing your payment.'

/** Stripe's own card fields, each in a frame of Stripe's: what is typed there never passes through this page. */
export function StripeCardForm(props: CardFormProps) {
  const { publishableKey } = props.payment
  const [round, setRound] = useState(0)
  const [failed, setFailed] = useState<unknown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is the reason to load it again
  const loading = useMemo(() => loadStripe(publishableKey), [publishableKey, round])
  // A failure is told here, once; to Elements it is a Stripe that never comes.
  const stripe = useMemo(() => loading.catch(() => null), [loading])
  useEffect(() => {
    let current = true
    loading.catch((error: unknown) => current && setFailed(error))
    return () => {
      current = false
    }
  }, [loading])
  if (failed) {
    return (
      <LoadError
        title="The card fields could not be loaded"
        error={failed}
        retry={() => {
          setFailed(null)
          setRound(round + 1)
        }}
      />
    )
  }
  return (
    <Elements key={round} stripe={stripe}>
      <CardForm {...props} />
    </Elements>
  )
}

function CardForm({ deal, payment, problem, onStage }: CardFormProps) {
  const stripe = useStripe()
  const elements = useElements()
  const [name, setName] = useState('')
  const [nameError, setNameError] = useState<string>()
  const [declined, setDeclined] = useState(problem)
  const [busy, setBusy] = useState(false)

  async function pay(event: FormEvent) {
    event.preventDefault()
    const card = elements?.getElement(CardNumberElement)
    if (!stripe || !card) return
    setNameError(name.trim() === '' ? 'Enter the name as it stands on the card.' : undefined)
    if (name.trim() === '') return
    setBusy(true)
    setDeclined(null)
    const { error, paymentIntent } = await stripe.confirmCardPayment(payment.clientSecret, {
      payment_method: { card, billing_details: { name: name.trim() } },
      return_url: new URL(paths.sendFunds(deal.id), location.origin).href,
    })
    if (!error && paymentIntent) onStage({ name: 'confirming', payment })
    else if (error && isSilence(error)) onStage((await stageOf(payment)) ?? { name: 'unknown', payment })
    else refuse(error?.message)
  }

  function refuse(words = FAILED) {
    endAttempt(deal.id, 'card')
    setBusy(false)
    setDeclined(words)
    toastError('Payment Failed', words)
  }

  return (
    <form onSubmit={event => void pay(event)} noValidate className="grid gap-5">
      {declined && <Declined words={declined} />}
      <ElementField label="Card Number">
        {id => <CardNumberElement id={id} options={{ ...elementOptions(), showIcon: true }} />}
      </ElementField>
      <div className="grid grid-cols-2 gap-4">
        <ElementField label="Expiry (MM/YY)">
          {id => <CardExpiryElement id={id} options={elementOptions()} />}
        </ElementField>
        <ElementField label="CVV">{id => <CardCvcElement id={id} options={elementOptions()} />}</ElementField>
      </div>
      <Field label="Cardholder Name" error={nameError}>
        <Input
          name="name"
          required
          autoComplete="cc-name"
          value={name}
          onChange={event => setName(event.target.value)}
        />
      </Field>
      <Button type="submit" kind="hold" size="lg" busy={busy} disabled={!stripe} className="w-full">
        {busy ? 'Processing...' : `Pay ${displayAmount(payment.total, payment.currency)}`}
      </Button>
    </form>
  )
}

// No answer to a confirmation says nothing about the charge.
const isSilence = ({ type }: StripeError) => type === 'api_connection_error' || type === 'api_error'

function ElementField({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId()
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="justify-self-start text-sm font-semibold">
        {label}
      </label>
      <div className="control has-[.StripeElement--focus]:outline-2 has-[.StripeElement--focus]:-outline-offset-1 has-[.StripeElement--focus]:outline-ink">
        {children(id)}
      </div>
    </div>
  )
}

/** The page's own colours and size, which a frame of another origin cannot inherit. */
function elementOptions(): StripeCardNumberElementOptions {
  const { color, fontSize } = getComputedStyle(document.body)
  return { style: { base: { color, fontSize, lineHeight: '24px', fontFamily: 'system-ui, sans-serif' } } }
}
