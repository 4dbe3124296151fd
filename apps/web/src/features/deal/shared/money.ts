import type { Transaction } from '@holdfast/contracts/transactions'
import { type Currency, formatAmount, isZero, parseAmount } from '@holdfast/kernel/money'

type Money = Transaction['money']

/** Whether the buyer's payment has arrived: something is held, released, refunded or charged back. */
export const isPaid = ({ held, released, refunded, chargedBack }: Money): boolean =>
  ![held, released, refunded, chargedBack].every(isZero)

/** What the buyer has back or gets back: by a refund, or by their bank. */
export function backWithBuyer({ refunded, chargedBack }: Pick<Money, 'refunded' | 'chargedBack'>, currency: Currency) {
  return formatAmount(parseAmount(refunded, currency) + parseAmount(chargedBack, currency), currency)
}

/** Our fees, once nothing is held any more: what was paid less what was released, refunded and charged back. */
export const feesKept = ({ buyerTotal, held, released, refunded, chargedBack }: Money, currency: Currency): string =>
  difference(currency, buyerTotal, held, released, refunded, chargedBack)

/** An amount with the words that say what it is: "You paid", "107.00". */
export interface LabelledAmount {
  readonly label: string
  readonly amount: string
}

/**
 * What a deal costs or brings the viewer, as a decimal string: the buyer's total less refunds, or the seller's part.
 * The amounts labelled "You paid" sum to Total Spent, those labelled "You received" to Total Earnings.
 */
export function ownAmount({
  viewerRole,
  money,
  currency,
}: Pick<Transaction, 'viewerRole' | 'money' | 'currency'>): LabelledAmount {
  const { buyerTotal, sellerNet, released } = money
  const back = backWithBuyer(money, currency)
  if (viewerRole === 'buyer') {
    if (!isPaid(money)) return { label: 'You pay', amount: buyerTotal }
    return isZero(back)
      ? { label: 'You paid', amount: buyerTotal }
      : {
          label: `You paid, after ${nameOfBack(money)}`,
          amount: difference(currency, buyerTotal, back),
        }
  }
  return isZero(released) && isZero(back)
    ? { label: 'You receive', amount: sellerNet }
    : { label: 'You received', amount: released }
}

const nameOfBack = ({ refunded, chargedBack }: Money): string =>
  isZero(chargedBack) ? 'the refund' : isZero(refunded) ? 'the chargeback' : 'what came back'

const difference = (currency: Currency, from: string, ...amounts: readonly string[]): string =>
  formatAmount(
    amounts.reduce((left, amount) => left - parseAmount(amount, currency), parseAmount(from, currency)),
    currency,
  )
