import { displayAmount } from '@holdfast/kernel/money'
import { classes } from '../lib/class-names.js'

interface MoneyProps {
  /** The wire's decimal string: "1234.50". */
  amount: string | number
  currency: string
  className?: string
}

/** An amount as people read it, in figures of one width, never broken over two lines. */
export function Money({ amount, currency, className }: MoneyProps) {
  return <span className={classes('figures whitespace-nowrap', className)}>{displayAmount(amount, currency)}</span>
}
