import type { ChangeEvent } from 'react'
import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import type { FieldProps, Form } from '../../lib/form/use-form.js'
import { type CardDetails, formatCardNumber, formatCvv, formatExpiry } from './card-format.js'

/** Number, expiry, code and name, written as they stand on the card and known to password managers. */
export function CardFields({ form }: { form: Form<CardDetails> }) {
  const number = form.field('cardNumber')
  const expiry = form.field('expiry')
  const cvv = form.field('cvv')
  return (
    <>
      <Field label="Card Number" {...number}>
        <Input
          required
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="1234 1234 1234 1234"
          className="figures"
          onChange={typedAs(number, formatCardNumber)}
        />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Expiry (MM/YY)" {...expiry}>
          <Input
            required
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="MM/YY"
            className="figures"
            onChange={typedAs(expiry, text => formatExpiry(text, form.values.expiry))}
          />
        </Field>
        <Field label="CVV" {...cvv}>
          <Input
            required
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="123"
            className="figures"
            onChange={typedAs(cvv, formatCvv)}
          />
        </Field>
      </div>
      <Field label="Cardholder Name" {...form.field('name')}>
        <Input required autoComplete="cc-name" />
      </Field>
    </>
  )
}

/** Writes what is typed as it stands on the card, before the form gets it. */
const typedAs =
  ({ control }: FieldProps, format: (text: string) => string) =>
  (event: ChangeEvent<HTMLInputElement>) => {
    event.target.value = format(event.target.value)
    void control.onChange(event)
  }
