import { Check } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { classes } from '../lib/class-names.js'

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode
  hint?: ReactNode
}

/** A box to tick with its sentence, which is a target, too. The box alone is as large as a target must be (WCAG 2.2, 2.5.8). */
export function Checkbox({ label, hint, className, ...rest }: CheckboxProps) {
  const id = useId()
  return (
    <div className={classes('flex gap-3', className)}>
      <span className="relative grid size-6 shrink-0 place-items-center">
        <input
          id={id}
          aria-describedby={hint ? `${id}-hint` : undefined}
          {...rest}
          type="checkbox"
          className="peer size-6 appearance-none rounded-sm border border-edge bg-surface checked:border-ink checked:bg-ink disabled:bg-sunken"
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute size-4 text-on-ink opacity-0 peer-checked:opacity-100"
        />
      </span>
      <span>
        <label htmlFor={id}>{label}</label>
        {hint && (
          <span id={`${id}-hint`} className="block text-sm text-ink-soft">
            {hint}
          </span>
        )}
      </span>
    </div>
  )
}

interface SwitchProps extends Omit<ComponentProps<'input'>, 'type' | 'role' | 'children'> {
  label: ReactNode
  hint?: ReactNode
}

/** On or off, at once: for settings that need no saving. The label stands left, the switch right. */
export function Switch({ label, hint, className, ...rest }: SwitchProps) {
  const id = useId()
  return (
    <div className={classes('flex items-start justify-between gap-6', className)}>
      <span>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <span id={`${id}-hint`} className="block text-sm text-ink-soft">
            {hint}
          </span>
        )}
      </span>
      <span className="relative mt-0.5 inline-flex h-6 w-11 shrink-0">
        <input
          id={id}
          aria-describedby={hint ? `${id}-hint` : undefined}
          {...rest}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its checked state natively
          role="switch"
          className="peer h-6 w-11 appearance-none rounded-full border border-edge bg-sunken transition-colors duration-(--swift) checked:border-ink checked:bg-ink focus-visible:rounded-full"
        />
        <span
          aria-hidden="true"
          className="pointer-events-none absolute top-1 left-1 size-4 rounded-full bg-edge transition-[translate,background-color] duration-(--swift) peer-checked:translate-x-5 peer-checked:bg-on-ink"
        />
      </span>
    </div>
  )
}
