import { CardCvcElement, CardExpiryElement, CardNumberElement, Elements } from '@stripe/react-stripe-js'
import type { StripeCardNumberElementOptions, StripeError } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { LoadError } from '../../components/load-error.js'
import type { Faults, Form } from '../../lib/form/use-form.js'

/** Loads Stripe's script, around a form with its fields. */
export function StripeElements({ publishableKey, children }: { publishableKey: string; children: ReactNode }) {
  const [round, setRound] = useState(0)
  const [failed, setFailed] = useState<unknown>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is the reason to load it again
  const loading = useMemo(() => loadStripe(publishableKey), [publishableKey, round])
  // The failure is shown by the state above. Elements must not get it too: for them Stripe is never loaded.
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
      {children}
    </Elements>
  )
}

/** Stripe's fields keep their content to themselves. The form holds what is wrong with each of them, or ''. */
export interface StripeValues {
  readonly number: string
  readonly expiry: string
  readonly cvv: string
  readonly name: string
}
export const EMPTY_STRIPE_VALUES: StripeValues = {
  number: 'Enter the number on the front of the card.',
  expiry: 'Enter the month and year the card expires.',
  cvv: 'Enter the security code of the card.',
  name: '',
}

export const stripeFaults = ({ number, expiry, cvv, name }: StripeValues): Faults<StripeValues> => ({
  number: number || undefined,
  expiry: expiry || undefined,
  cvv: cvv || undefined,
  name: name.trim() === '' ? 'Enter the name as it stands on the card.' : undefined,
})

/** Stripe's own card fields, each in a frame of Stripe's: what is typed there never passes through this page. */
export function StripeFields({ form }: { form: Form<StripeValues> }) {
  const element = (name: 'number' | 'expiry' | 'cvv') => ({
    options: elementOptions(),
    onChange: ({ complete, error }: ElementChange) =>
      form.set(name, error?.message ?? (complete ? '' : EMPTY_STRIPE_VALUES[name])),
  })
  return (
    <>
      <ElementField label="Card Number" error={form.error('number')}>
        {id => <CardNumberElement id={id} {...element('number')} />}
      </ElementField>
      <div className="grid grid-cols-2 gap-4">
        <ElementField label="Expiry (MM/YY)" error={form.error('expiry')}>
          {id => <CardExpiryElement id={id} {...element('expiry')} />}
        </ElementField>
        <ElementField label="CVV" error={form.error('cvv')}>
          {id => <CardCvcElement id={id} {...element('cvv')} />}
        </ElementField>
      </div>
      <Field label="Cardholder Name" {...form.field('name')}>
        <Input required autoComplete="cc-name" />
      </Field>
    </>
  )
}

// Without an answer to the confirmation it is not known whether the card was charged.
export const isStripeSilence = ({ type }: StripeError) => type === 'api_connection_error' || type === 'api_error'

/** The state that a field of Stripe reports at each change. */
interface ElementChange {
  readonly complete: boolean
  readonly error?: { readonly message: string } | undefined
}

interface ElementFieldProps {
  label: string
  error: string | undefined
  children: (id: string) => ReactNode
}

/** A field of Stripe with its label and its error. Its wrong state is on the frame around it, which takes the focus. */
function ElementField({ label, error, children }: ElementFieldProps) {
  const id = useId()
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="justify-self-start text-sm font-semibold">
        {label}
      </label>
      <fieldset
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        tabIndex={-1}
        className="control has-[.StripeElement--focus]:outline-2 has-[.StripeElement--focus]:-outline-offset-1 has-[.StripeElement--focus]:outline-ink"
      >
        {children(id)}
      </fieldset>
      {error && (
        <p id={`${id}-error`} className="text-sm font-medium text-trouble">
          {error}
        </p>
      )}
    </div>
  )
}

/** The page's own colours and size, which a frame of another origin cannot inherit. */
function elementOptions(): StripeCardNumberElementOptions {
  const { color, fontSize } = getComputedStyle(document.body)
  return { style: { base: { color, fontSize, lineHeight: '24px', fontFamily: 'system-ui, sans-serif' } } }
}
