import { buyerFeesOf, CURRENT_FEE_SCHEDULE } from '@holdfast/kernel/fees'
import { type Currency, displayMinor, parseAmount } from '@holdfast/kernel/money'
import type { PaymentMethod } from '@holdfast/kernel/payments'
import type { Plan } from '@holdfast/kernel/users'
import { isOffered, METHODS } from './methods.js'

interface MethodFeesProps {
  /** Decimal string. */
  price: string
  currency: Currency
  /** The buyer's. */
  plan: Plan
}

/** What each way to pay that is offered adds to the price, under the schedule of new deals. */
export function MethodFees({ price, currency, plan }: MethodFeesProps) {
  const feeOf = (method: PaymentMethod) => {
    const basis = { priceMinor: parseAmount(price, currency), currency, buyerPlan: plan }
    const { buyerFeeMinor } = buyerFeesOf({ ...basis, feeSchedule: CURRENT_FEE_SCHEDULE }, method)
    return displayMinor(buyerFeeMinor, currency)
  }
  return (
    <div className="text-sm text-ink-soft">
      <p id="fees-of-methods">Fees, added to the price when you pay:</p>
      <ul aria-labelledby="fees-of-methods" className="mt-1">
        {METHODS.filter(({ value }) => isOffered(value)).map(({ value, label }) => (
          <li key={value}>
            {label}: <span className="figures font-semibold text-ink">+ {feeOf(value)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
