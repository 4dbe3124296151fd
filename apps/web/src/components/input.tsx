import type { ComponentProps, ReactNode } from 'react'
import { classes } from '../lib/class-names.js'
import { useFieldControl } from './field.js'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldControl()} {...rest} className={classes('control', className)} />
}

export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useFieldControl()} {...rest} rows={rows} className={classes('control', className)} />
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
