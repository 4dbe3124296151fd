import type { Transaction } from '@holdfast/contracts/transactions'
import { isZero } from '@holdfast/kernel/money'
import { Money } from '../../components/money.js'

/** What is held of a deal: this is what a dispute is about, and not the price. */
export function Held({ deal: { money, currency } }: { deal: Pick<Transaction, 'money' | 'currency'> }) {
  if (isZero(money.held)) return <span className="ml-2 text-sm text-ink-soft">Nothing is held any more</span>
  return (
    <span className="ml-2 text-sm text-ink-soft">
      Held <Money amount={money.held} currency={currency} className="text-lg font-semibold text-ink" />
    </span>
  )
}
