import { Check } from 'lucide-react'
import { classes } from '../lib/class-names.js'

interface StepperProps {
  /** What the steps lead through, for screen readers. */
  label: string
  steps: readonly string[]
  /** Index of the step shown now. */
  current: number
}

/** Where one is in a form of several pages. */
export function Stepper({ label, steps, current }: StepperProps) {
  return (
    <ol aria-label={label} className="flex gap-2 sm:gap-4">
      {steps.map((step, index) => (
        <li key={step} aria-current={index === current ? 'step' : undefined} className="min-w-0 flex-1">
          <div className={classes('h-1 rounded-full', index <= current ? 'bg-ink' : 'bg-rule')} />
          <p
            className={classes(
              'mt-2 flex items-start gap-1.5 text-xs sm:text-sm',
              index === current ? 'font-semibold text-ink' : 'text-ink-faint',
            )}
          >
            {index < current ? (
              <Check aria-label="Done" className="size-4 shrink-0 text-ink sm:mt-0.5" />
            ) : (
              <span className="figures">{index + 1}.</span>
            )}
            {step}
          </p>
        </li>
      ))}
    </ol>
  )
}
