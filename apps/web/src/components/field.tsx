import { createContext, type ReactNode, use, useId } from 'react'
import { classes } from '../lib/class-names.js'
import type { ControlProps } from '../lib/form/use-form.js'

interface FieldControl extends Partial<ControlProps> {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

const FieldContext = createContext<FieldControl | null>(null)

/** What a control inside a `Field` spreads onto its element, so that label, hint and error belong to it. */
export function useFieldControl(): Partial<FieldControl> {
  return use(FieldContext) ?? {}
}

export interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong and how to put it right; marks the control as invalid. */
  error?: string | undefined
  /** How the page reads what the control holds; a line is kept free for it. Nothing shows while the control is wrong. */
  echo?: ReactNode
  /** The field of a form that the control fills: `{...form.field('title')}`. */
  control?: ControlProps
  /** Says "(optional)" behind the label. Fields without it are required. */
  optional?: boolean
  /** Keeps the label for screen readers only, where the layout explains the control (a search box). */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/** A control with its label, its hint and its error. */
export function Field({ label, hint, error, echo, control, optional, hideLabel, className, children }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  const errorId = `${id}-error`
  const echoId = `${id}-echo`
  const describedBy = [hint && hintId, error ? errorId : echo && echoId].filter(Boolean).join(' ') || undefined
  return (
    <FieldContext value={{ ...control, id, 'aria-describedby': describedBy, 'aria-invalid': error ? true : undefined }}>
      <div className={classes('grid content-start gap-1.5', className)}>
        <label htmlFor={id} className={hideLabel ? 'sr-only' : 'justify-self-start text-sm font-semibold'}>
          {label}
          {optional && <span className="font-normal text-ink-faint"> (optional)</span>}
        </label>
        {hint && (
          <p id={hintId} className="-mt-0.5 text-sm text-ink-soft">
            {hint}
          </p>
        )}
        {children}
        {error && (
          <p id={errorId} className="text-sm font-medium text-trouble">
            {error}
          </p>
        )}
        {echo !== undefined && !error && (
          <p id={echoId} className="figures min-h-5 text-sm text-ink-soft">
            {echo}
          </p>
        )}
      </div>
    </FieldContext>
  )
}

interface FieldsetProps {
  legend: ReactNode
  hint?: ReactNode
  children: ReactNode
  className?: string
}

/** Controls that belong together under one question. */
export function Fieldset({ legend, hint, children, className }: FieldsetProps) {
  return (
    <fieldset className={classes('grid gap-3', className)}>
      <legend className="mb-1.5 text-sm font-semibold">{legend}</legend>
      {hint && <p className="-mt-2 text-sm text-ink-soft">{hint}</p>}
      {children}
    </fieldset>
  )
}
