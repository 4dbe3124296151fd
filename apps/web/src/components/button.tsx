import type { ComponentProps } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import { classes } from '../lib/class-names.js'
import { Spinner } from './spinner.js'

/**
 * - `primary`: the one thing this screen is for, in ink
 * - `quiet`: everything beside it
 * - `bare`: in rows and bars
 * - `trouble`: takes something away
 */
export type ButtonKind = 'primary' | 'quiet' | 'bare' | 'trouble'
export type ButtonSize = 'sm' | 'md' | 'lg'

const KINDS: Record<ButtonKind, string> = {
  primary: 'bg-ink text-on-ink hover:bg-ink-hover',
  quiet: 'border border-edge bg-surface text-ink hover:border-ink hover:bg-sunken',
  bare: 'text-ink hover:bg-sunken',
  trouble: 'border border-trouble text-trouble hover:bg-trouble hover:text-on-trouble',
}

const SIZES: Record<ButtonSize, string> = {
  sm: 'min-h-9 px-3 text-sm gap-1.5',
  md: 'min-h-11 px-4 text-base gap-2',
  lg: 'min-h-12 px-4 text-base gap-2 sm:min-h-13 sm:px-6 sm:text-lg sm:gap-2.5',
}

/** The looks of a button, for elements that are none (a file's label, a link to another site). */
export function buttonClass(kind: ButtonKind = 'primary', size: ButtonSize = 'md', className?: string): string {
  return classes(
    // Words break only where the window is narrower than a phone's, as with a zoom of 400 %.
    'inline-flex items-center justify-center rounded-md text-center font-semibold whitespace-nowrap select-none max-[24rem]:whitespace-normal',
    'transition-colors duration-(--swift) focus-visible:rounded-md',
    'disabled:pointer-events-none disabled:border-transparent disabled:bg-sunken disabled:text-ink-faint disabled:inset-ring disabled:inset-ring-rule',
    '[&_svg]:shrink-0',
    KINDS[kind],
    SIZES[size],
    className,
  )
}

interface ButtonLooks {
  kind?: ButtonKind
  size?: ButtonSize
}

interface ButtonProps extends ComponentProps<'button'>, ButtonLooks {
  /** While true the button is disabled and turns a ring before its words; change the words too ('Saving...'). */
  busy?: boolean
}

export function Button({ kind, size, busy = false, className, disabled, children, type, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type ?? 'button'}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(kind, size, className)}
    >
      {busy && <Spinner />}
      {children}
    </button>
  )
}

interface ButtonLinkProps extends LinkProps, ButtonLooks {}

/** Goes somewhere, and looks like a button. */
export function ButtonLink({ kind, size, className, ...rest }: ButtonLinkProps) {
  return <Link {...rest} className={buttonClass(kind, size, className)} />
}
