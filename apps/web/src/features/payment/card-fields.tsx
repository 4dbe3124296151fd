import { Field } from '../../components/field.js'
import { Input } from '../../components/input.js'
import { type CardDetails, type CardField, formatCardNumber, formatCvv, formatExpiry } from './card-format.js'

interface CardFieldsProps {
  card: CardDetails
  errors: Partial<Record<CardField, string>>
  onChange: (field: CardField, value: string) => void
}

/** Number, expiry, code and name, written as they stand on the card and known to password managers. */
export function CardFields({ card, errors, onChange }: CardFieldsProps) {
  return (
    <>
      <Field label="Card Number" error={errors.cardNumber}>
        <Input
          name="cardNumber"
          required
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="1234 1234 1234 1234"
          className="figures"
          value={card.cardNumber}
          onChange={event => onChange('cardNumber', formatCardNumber(event.target.value))}
        />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Expiry (MM/YY)" error={errors.expiry}>
          <Input
            name="expiry"
            required
            inputMode="numeric"
            autoComplete="cc-exp"
            placeholder="MM/YY"
            className="figures"
            value={card.expiry}
            onChange={event => onChange('expiry', formatExpiry(event.target.value, card.expiry))}
          />
        </Field>
        <Field label="CVV" error={errors.cvv}>
          <Input
            name="cvv"
            required
            inputMode="numeric"
            autoComplete="cc-csc"
            placeholder="123"
            className="figures"
            value={card.cvv}
            onChange={event => onChange('cvv', formatCvv(event.target.value))}
          />
        </Field>
      </div>
      <Field label="Cardholder Name" error={errors.name}>
        <Input
          name="name"
          required
          autoComplete="cc-name"
          value={card.name}
          onChange={event => onChange('name', event.target.value)}
        />
      </Field>
    </>
  )
}
