import { useId } from 'react'
import { classes } from '../lib/class-names.js'

interface SegmentedProps<Value extends string> {
  legend: string
  hideLegend?: boolean
  options: readonly { readonly value: Value; readonly label: string }[]
  value: Value
  onChange: (value: Value) => void
  error?: string | undefined
  disabled?: boolean
  className?: string
}

/** One of a few, side by side: radio buttons in one frame, with their keyboard. */
export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { legend, hideLegend, options, value, onChange, error, disabled = false, className } = props
  const name = useId()
  const labelId = `${name}-label`
  const errorId = `${name}-error`
  return (
    <div
      role="radiogroup"
      aria-labelledby={labelId}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? errorId : undefined}
      className={className}
    >
      <p id={labelId} className={hideLegend ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>
        {legend}
      </p>
      <div className="flex w-full gap-1 rounded-md border border-edge bg-sunken p-1 sm:inline-flex sm:w-auto">
        {options.map(option => (
          <label
            key={option.value}
            className={classes(
              'relative flex min-h-9 flex-1 items-center justify-center rounded-sm px-4 text-sm font-semibold max-[24rem]:px-1 sm:whitespace-nowrap',
              'has-disabled:pointer-events-none has-disabled:opacity-60',
              'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink',
              option.value === value ? 'bg-ink text-on-ink' : 'text-ink-soft hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={disabled}
              onChange={() => onChange(option.value)}
              className="absolute inset-0 cursor-pointer appearance-none outline-none"
            />
            {option.label}
          </label>
        ))}
      </div>
      {error && (
        <p id={errorId} className="mt-1.5 text-sm font-medium text-trouble">
          {error}
        </p>
      )}
    </div>
  )
}
