import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { classes } from '../lib/class-names.js'
import { useFieldControl } from './field.js'

/** The platform's own select, which every keyboard, phone and screen reader already knows. Give it `<option>`s. */
export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select {...useFieldControl()} {...rest} className={classes('control appearance-none pr-10', className)}>
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-soft"
      />
    </div>
  )
}
