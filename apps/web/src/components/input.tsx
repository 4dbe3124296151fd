import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../lib/class-names.js'
import { useFieldControl } from './field.js'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldControl()} {...rest} className={classes('control', className)} />
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useFieldControl()} {...rest} rows={rows} className={classes('control', className)} />
}

interface AmountInputProps extends Omit<ComponentProps<'input'>, 'type'> {
  /** What stands before the figures: "$". */
  symbol: string
}

/**
 * An amount of money: figures of one width behind the currency's sign. It is a text field: a number field answers '' for
 * letters, and the page could not say what is wrong.
 */
export function AmountInput({ symbol, className, ...rest }: AmountInputProps) {
  return (
    <div className="relative">
      <span aria-hidden="true" className="absolute inset-y-0 left-0 grid w-9 place-items-center text-ink-soft">
        {symbol}
      </span>
      <Input
        inputMode="decimal"
        autoComplete="off"
        {...rest}
        type="text"
        className={classes('figures pl-9', className)}
      />
    </div>
  )
}

interface SearchInputProps extends ComponentProps<'input'> {
  icon: ReactNode
  /** `text` for a combobox: the type `search` allows no other role. */
  type?: 'search' | 'text'
}

/** A search box; `icon` is drawn inside its beginning. */
export function SearchInput({ icon, className, type = 'search', ...rest }: SearchInputProps) {
  return (
    <div className="relative">
      <span aria-hidden="true" className="absolute inset-y-0 left-0 grid w-10 place-items-center text-ink-faint">
        {icon}
      </span>
      <Input {...rest} type={type} className={classes('pl-10', className)} />
    </div>
  )
}
