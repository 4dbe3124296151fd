import type { Transaction } from '@holdfast/contracts/transactions'
import { type Currency, formatAmount, parseAmount } from '@holdfast/kernel/money'

/** Whether an amount of the server is zero: "0", "0.00". */
export const isZero = (amount: string): boolean => /^0*(\.0*)?$/.test(amount)

type Money = Transaction['money']

/** Whether the buyer's payment has arrived: something is held, released, refunded or charged back. */
export const isPaid = ({ held, released, refunded, chargedBack }: Money): boolean =>
  ![held, released, refunded, chargedBack].every(isZero)

/** What the buyer has back or gets back: by a refund, or by their bank. */
export function backWithBuyer({ refunded, chargedBack }: Pick<Money, 'refunded' | 'chargedBack'>, currency: Currency) {
  return formatAmount(parseAmount(refunded, currency) + parseAmount(chargedBack, currency), currency)
}

/** Our fees, once nothing is held any more: what was paid less what was released, refunded and charged back. */
export function feesKept({ buyerTotal, held, released, refunded, chargedBack }: Money, currency: Currency): string {
  const minor = (amount: string) => parseAmount(amount, currency)
  return formatAmount(
    minor(buyerTotal) - minor(held) - minor(released) - minor(backWithBuyer({ refunded, chargedBack }, currency)),
    currency,
  )
}
