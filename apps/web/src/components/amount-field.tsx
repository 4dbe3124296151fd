import { type Currency, DEAL_CURRENCY, displayAmount, symbolOf } from '@holdfast/kernel/money'
import { readTypedAmount } from '@holdfast/kernel/typed-amount'
import { type FocusEvent, useState } from 'react'
import type { ControlProps } from '../lib/form/use-form.js'
import { Field, type FieldProps } from './field.js'
import { Input } from './input.js'

interface AmountFieldProps extends Omit<FieldProps, 'children' | 'echo'> {
  control: ControlProps
  /** What the field holds now. */
  typed: string
  currency?: Currency
  required?: boolean
  onLeave?: (event: FocusEvent<HTMLInputElement>) => void
}

/**
 * The one field for an amount that a person types. It shows how the text is read, as money. When the field is left with a text that is not
 * read, it says how to write the amount. It is a text field: a number field answers '' for letters, and the page could not say what is
 * wrong.
 */
export function AmountField(props: AmountFieldProps) {
  const { control, typed, currency = DEAL_CURRENCY, required, onLeave, error, ...field } = props
  const [isLeft, setLeft] = useState(false)
  const { amount, fault } = readTypedAmount(typed, currency)
  const shownFault = error ?? (isLeft && typed.trim() !== '' ? fault : undefined)
  return (
    <Field
      {...field}
      control={control}
      error={shownFault}
      echo={amount !== undefined && `= ${displayAmount(amount, currency)}`}
    >
      <div className="relative">
        <span aria-hidden="true" className="absolute inset-y-0 left-0 grid w-9 place-items-center text-ink-soft">
          {symbolOf(currency)}
        </span>
        <Input
          type="text"
          inputMode="decimal"
          autoComplete="off"
          required={required}
          className="figures pl-9"
          onChange={event => {
            setLeft(false)
            control.onChange(event)
          }}
          onBlur={event => {
            setLeft(true)
            control.onBlur(event)
            onLeave?.(event)
          }}
        />
      </div>
    </Field>
  )
}
