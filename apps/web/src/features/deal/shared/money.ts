import type { Transaction } from '@holdfast/contracts/transactions'
import { type Currency, formatAmount, parseAmount } from '@holdfast/kernel/money'

/** Whether an amount of the server is zero: "0", "0.00". */
export const isZero = (amount: string): boolean => /^0*(\.0*)?$/.test(amount)

type Money = Transaction['money']

/** Whether the buyer's payment has arrived: something is held, released or refunded. */
export const isPaid = ({ held, released, refunded }: Money): boolean => ![held, released, refunded].every(isZero)

/** Our fees, once nothing is held any more: what was paid less what was released and refunded. */
export function feesKept({ buyerTotal, held, released, refunded }: Money, currency: Currency): string {
  const minor = (amount: string) => parseAmount(amount, currency)
  return formatAmount(minor(buyerTotal) - minor(held) - minor(released) - minor(refunded), currency)
}
