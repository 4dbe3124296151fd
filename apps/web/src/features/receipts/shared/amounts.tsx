import { useId } from 'react'
import { Money } from '../../../components/money.js'
import { classes } from '../../../lib/class-names.js'

export interface AmountLine {
  readonly id: string
  readonly label: string
  readonly amount: string
  /** The sum of the lines above. */
  readonly isSum?: boolean
}

/** A part of a receipt: amounts in a column, and their sum. */
export function Amounts({ title, currency, lines }: { title: string; currency: string; lines: readonly AmountLine[] }) {
  const heading = useId()
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className="mb-3 font-semibold">
        {title}
      </h2>
      <dl className="divide-y divide-rule border-y border-rule">
        {lines.map(({ id, label, amount, isSum }) => (
          <div key={id} className={classes('flex justify-between gap-6 py-2.5', isSum && 'font-semibold')}>
            <dt className={classes('min-w-0 break-words', !isSum && 'text-ink-soft')}>{label}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
